// SPDX-License-Identifier: MIT
// error: too_many_axes
// error: in_op<etch::gather>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3, 1, 1, 1, 2> x;
constexpr placeholder<"rows", int, 1, 1, 1, 1, 2> rows;

int main() {
  constexpr auto y = gather(x, rows);  // wrong
}
