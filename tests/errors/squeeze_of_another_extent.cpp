// SPDX-License-Identifier: MIT
// error: only_axes_of_extent_1_can_be_squeezed
// error: {"squeeze"}
// error: {"x"}, float, etch::shape<2, 3>
// error: etch::axis_list<0>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = squeeze(x, axis<0>);  // wrong
}
