// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: {"stack"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"stack(axis<0>, x, y)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = stack(x, x);  // wrong
}
