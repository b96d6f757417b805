// SPDX-License-Identifier: MIT
// error: run: the fetch list is empty; name at least one expression to compute
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  s.run(x = {{1, 2, 3}, {4, 5, 6}});  // wrong
}
