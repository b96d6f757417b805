// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: in_op<etch::assign>
// error: {"w"}, float, etch::shape<2, 2>
// error: {"assign(w, value)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = assign(w, 0.5f);  // wrong
}
