// SPDX-License-Identifier: MIT
// error: only_a_variable_has_a_value_in_a_session_run_an_expression
// error: {"get"}
// error: {"run(y)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(y, u);
  s.get(y);  // wrong
}
