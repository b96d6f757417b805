// SPDX-License-Identifier: MIT
// SES-10.
// error: this_is_no_expression_feed_a_value_by_slot_equals_value
// error: {"run"}
#include <etch/etch.hpp>
#include <etch/default_session.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr auto y = x * w;
constexpr auto train = group(assign(w, y));

int main() {
  run(y, 2.0f);  // wrong
}
