// SPDX-License-Identifier: MIT
// GRA-03.
// error: an_expression_has_no_value_until_a_session_runs_it
// error: in_op<etch::greater>
// error: operand<bool, etch::shape<
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  if (x > 0_c) return 1;  // wrong
}
