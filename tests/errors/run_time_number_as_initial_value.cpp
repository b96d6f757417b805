// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: in_function<
// error: {"full"}
// error: run_time_value<float>
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = variable<"w">(full(shape<3>{}, 0.1f));  // wrong
}
