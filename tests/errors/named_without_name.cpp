// SPDX-License-Identifier: MIT
// error: write_the_name_in_angle_brackets
// error: {"named"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"named<\"y\">(x * x)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = named("y", x);  // wrong
}
