// SPDX-License-Identifier: MIT
// AG-03.
// error: a_gradient_keeps_a_value_of_8_axes_of_each_step_of_a_loop
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

template <int Loops>
constexpr auto squared(auto t) {
  if constexpr (Loops == 0)
    return t * t;
  else
    return for_range<2>([](auto, auto s) { return squared<Loops - 1>(s); }, t);
}

int main() {
  constexpr auto slope = gradient(squared<9>(x), x);  // wrong
  session s(slope);
  s.run(slope, x = 1);
}
