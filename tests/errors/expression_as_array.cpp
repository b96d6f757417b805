// SPDX-License-Identifier: MIT
// error: an_expression_has_no_value_until_a_session_runs_it
// error: in_op<etch::multiply>
// error: {"session.run(y)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;

int main() {
  const xt::xtensor<float, 2> a = y;  // wrong
}
