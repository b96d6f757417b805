// SPDX-License-Identifier: MIT
// error: axis_out_of_range
// error: in_op<etch::sort>
// error: {"x"}, float, etch::shape<2, 3>
// error: axis_list<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = sort(x, axis<2>);  // wrong
}
