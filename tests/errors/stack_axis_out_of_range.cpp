// SPDX-License-Identifier: MIT
// error: axis_out_of_range
// error: {"stack"}
// error: {"x"}, float, etch::shape<2, 3>
// error: etch::axis_list<5>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = stack(axis<5>, x, x);  // wrong
}
