// SPDX-License-Identifier: MIT
// GRA-18.
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: in_op<etch::multiply>
// error: {"x"}, float, etch::shape<3>
// error: run_time_value<float>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = x * 2.f;  // wrong
}
