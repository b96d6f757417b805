// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: {"print"}
// error: {"x"}, float, etch::shape<>
// error: got<float>
#include <etch/etch.hpp>
#include <etch/print.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  const float rate = 2;
  const auto y = print<"{} {}">(x, rate);  // wrong
  session s(y);
}
