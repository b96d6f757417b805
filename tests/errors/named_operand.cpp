// SPDX-License-Identifier: MIT
// error: shapes_do_not_broadcast
// error: etch::add
// error: expression_named<
// error: {"rows"}, float, etch::shape<2, 3>
// error: {"y"}, float, etch::shape<4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"y", float, 4> y;

int main() {
  constexpr auto rows = named<"rows">(relu(x));
  constexpr auto z = rows + y;  // wrong
}
