// SPDX-License-Identifier: MIT
// SES-14.
// error: name_at_least_one_expression_to_compute
// error: {"run"}
// error: {"run(y, x = values)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto y = x * 2_c;
constexpr auto total = sum(y);

int main() {
  session s(y, total);
  s.run(std::tuple{}, x = {1, 2, 3});  // wrong
}
