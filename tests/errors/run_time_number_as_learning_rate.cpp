// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: in_function<
// error: {"minimize"}
// error: run_time_value<float>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<3>{}));

int main() {
  constexpr auto y = optimizers::adam(0.001f).minimize(sum(square(w)));  // wrong
}
