// SPDX-License-Identifier: MIT
// error: shapes_do_not_broadcast
// error: {"clip"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"low"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"low", float, 2> low;

int main() {
  constexpr auto y = clip(x, low, 1_c);  // wrong
}
