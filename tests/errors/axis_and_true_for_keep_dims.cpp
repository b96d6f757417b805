// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: in_op<etch::sum>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"sum(x, axis<0>, keep_dims)"}
// error: etch::axis_list<0>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = sum(x, axis<0>, true);  // wrong
}
