// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: in_op<etch::gather>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"rows"}, int, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"rows", int, 2> rows;

int main() {
  constexpr auto y = gather(x, rows, 0);  // wrong
}
