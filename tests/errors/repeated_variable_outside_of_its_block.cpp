// SPDX-License-Identifier: MIT
// error: this_stands_for_a_value_of_a_loops_step_and_is_used_outside_of_the_loop
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto w = variable<"block/*/w">(ones(shape<3>{}));
  session s(x * w);
  s.run(x * w, x = {{1, 2, 3}, {4, 5, 6}});  // wrong
}
