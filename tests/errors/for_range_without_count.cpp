// SPDX-License-Identifier: MIT
// error: name_the_number_of_steps_in_angle_brackets
// error: {"for_range"}
// error: {"x"}, float, etch::shape<4, 3>
// error: {"for_range<16>(f, x)"}
#include <etch/control.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4, 3> x;

int main() {
  const auto y = for_range([](auto, auto s) { return s; }, x);  // wrong
}
