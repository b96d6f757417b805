// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: {"squeeze"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"squeeze(x, axis<0>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = squeeze(x, 0);  // wrong
}
