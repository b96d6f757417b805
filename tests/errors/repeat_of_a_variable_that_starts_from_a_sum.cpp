// SPDX-License-Identifier: MIT
// error: the_initial_values_of_a_repeated_variable_are_made_of_draws_by_elementwise_ops
// error: in_op
// error: sum
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto y = repeat<3, "block">(
      [](auto in, auto h) { return h * variable<in / "w">(sum(random_normal<in / "w">(shape<3>{}))); }, x);  // wrong
  session s(y);
}
