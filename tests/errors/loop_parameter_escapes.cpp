// SPDX-License-Identifier: MIT
// AG-03.
// error: this_stands_for_a_value_of_a_loops_step_and_is_used_outside_of_the_loop
// error: etch::operand<float, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;

constexpr detail::parameter_of<0, 0, float, shape<>> from_a_body;

int main() {
  constexpr auto y = from_a_body * 2_c;
  session s(y);
  s.run(y);  // wrong
}
