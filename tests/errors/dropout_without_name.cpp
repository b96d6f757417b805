// SPDX-License-Identifier: MIT
// error: name_the_draw_in_angle_brackets
// error: {"dropout"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"dropout<\"noise\">(x, 0.5_c)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = dropout(x, 0.5_c);  // wrong
}
