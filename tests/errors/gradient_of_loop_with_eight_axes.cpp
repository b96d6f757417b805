// SPDX-License-Identifier: MIT
// AG-03.
// error: a_gradient_keeps_a_value_of_8_axes_of_each_step_of_a_loop
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 1, 1, 1, 1, 1, 1, 1, 2> x;

int main() {
  constexpr auto y = for_range<2>([](auto, auto s) { return s * s; }, x);
  constexpr auto slope = gradient(y, x);  // wrong
  session s(slope);
  s.run(slope, x = xt::ones<float>({1, 1, 1, 1, 1, 1, 1, 2}));
}
