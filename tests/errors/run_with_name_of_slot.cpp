// SPDX-License-Identifier: MIT
// error: this_is_no_expression_feed_a_value_by_slot_equals_value
// error: {"run"}
// error: {"run(y, x = values)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(y, u);
  s.run(y, "x", data);  // wrong
}
