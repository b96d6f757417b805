// SPDX-License-Identifier: MIT
// error: name_the_sections_in_angle_brackets_one_for_each_axis
// error: in_op<etch::slice>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"slice(x, section<1, 3>, section<>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = slice(x, 1, 3);  // wrong
}
