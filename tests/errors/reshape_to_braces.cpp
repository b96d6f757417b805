// SPDX-License-Identifier: MIT
// error: name_the_shape_in_angle_brackets
// error: in_op<etch::reshape>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"reshape(x, shape<3, 2>{})"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = reshape(x, {3, 2});  // wrong
}
