// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: in_function<
// error: {"schedules"}
// error: run_time_value<double>
#include <etch/etch.hpp>
#include <etch/optimizers.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  constexpr auto w = variable<"w">(zeros(shape<3>{}));
  constexpr auto train = optimizers::adam(schedules::cosine_decay(1e-3, 1000_c)).minimize(sum(square(w)));  // wrong
}
