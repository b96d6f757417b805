// SPDX-License-Identifier: MIT
// error: an_axis_is_named_twice
// error: in_op<etch::sum>
// error: {"x"}, float, etch::shape<2, 3>
// error: axis_list<0, -2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = sum(x, axis<0, -2>);  // wrong
}
