// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: in_function<
// error: {"dropout"}
// error: run_time_value<double>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = dropout<"noise">(x, 0.5);  // wrong
}
