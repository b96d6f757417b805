// SPDX-License-Identifier: MIT
// error: name_the_layer_and_its_units_in_angle_brackets
// error: {"nn::dense"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"nn::dense<\"first\", 4>(x)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = nn::dense<"first">(x);  // wrong
}
