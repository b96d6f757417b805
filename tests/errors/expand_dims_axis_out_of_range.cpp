// SPDX-License-Identifier: MIT
// error: axis_out_of_range
// error: {"expand_dims"}
// error: {"x"}, float, etch::shape<2, 3>
// error: etch::axis_list<4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = expand_dims(x, axis<4>);  // wrong
}
