// SPDX-License-Identifier: MIT
// SES-01.
// error: a_session_is_made_of_expressions_name_at_least_one
// error: {"session"}
// error: {"session s(y)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(data);  // wrong
}
