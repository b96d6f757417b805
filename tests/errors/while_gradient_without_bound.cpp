// SPDX-License-Identifier: MIT
// AG-03.
// error: a_loop_of_any_number_of_steps_has_no_gradient_bound_them
// error: {"while_loop<100>(condition, f, s)"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = while_loop([](auto s) { return s < 10_c; }, [](auto s) { return s * 2_c; }, x);
  constexpr auto slope = gradient(y, x);  // wrong
  session s(slope);
  s.run(slope, x = 1);
}
