// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: {"split"}
// error: {"x"}, float, etch::shape<4, 3>
// error: {"split<2>(x, axis<0>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4, 3> x;

int main() {
  const auto y = split<2>(x);  // wrong
}
