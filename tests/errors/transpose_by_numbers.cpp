// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: in_op<etch::transpose>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"transpose(x, axis<1, 0>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = transpose(x, 1, 0);  // wrong
}
