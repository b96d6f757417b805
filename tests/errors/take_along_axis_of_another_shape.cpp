// SPDX-License-Identifier: MIT
// error: extents_differ
// error: in_op<etch::take_along_axis>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"places"}, int, etch::shape<3, 3>
// error: attributes<1
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"places", int, 3, 3> places;

int main() {
  constexpr auto y = take_along_axis(x, places, axis<1>);  // wrong
}
