// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: {"clip"}
// error: {"x"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"i", int, 2, 3> i;
constexpr placeholder<"b", bool, 2, 3> b;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = clip(x, 0.f, 1.f);  // wrong
}
