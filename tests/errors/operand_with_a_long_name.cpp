// SPDX-License-Identifier: MIT
// GRA-22.
// clang++ shows 36 characters of a text, so a name that leads beyond them stands in the facts only.
// error: name_the_axis_in_angle_brackets
// error: {"hidden_units_of_the_second_layer"}, float, etch::shape<2, 3>
// error: {"sum(x, axis<0>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"hidden_units_of_the_second_layer", float, 2, 3> hidden;

int main() {
  constexpr auto y = sum(hidden, 0);  // wrong
}
