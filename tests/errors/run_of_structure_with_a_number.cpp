// SPDX-License-Identifier: MIT
// SES-07.
// error: this_is_no_expression_feed_a_value_by_slot_equals_value
// error: {"run"}
// error: got<std::pair<
// error: {"run(y, x = values)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto y = x * 2_c;
constexpr auto total = sum(y);

int main() {
  session s(y, total);
  s.run(std::pair{y, 2.0f}, x = {1, 2, 3});  // wrong
}
