// SPDX-License-Identifier: MIT
// error: expressions_are_named_one_by_one_without_braces
// error: in_op<etch::concat>
// error: {"concat(axis<0>, x, y)"}
// error: etch::axis_list<0>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = concat({x, x}, axis<0>);  // wrong
}
