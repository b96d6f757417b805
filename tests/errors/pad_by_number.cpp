// SPDX-License-Identifier: MIT
// error: name_the_paddings_in_angle_brackets_one_for_each_axis
// error: in_op<etch::pad>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"pad(x, padding<1, 1>, padding<0>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = pad(x, 1);  // wrong
}
