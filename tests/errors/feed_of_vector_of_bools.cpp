// SPDX-License-Identifier: MIT
// error: this_cannot_be_fed
// error: {"b"}, bool, etch::shape<1>
#include <vector>

#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"b", bool, 1> b;
constexpr auto z = !b;

int main() {
  session s(z);
  std::vector<bool> rows = {true};
  s.run(z, b = rows);  // wrong
}
