// SPDX-License-Identifier: MIT
// AG-01.
// error: a_condition_is_one_bool
// error: {"cond"}
// error: {"x"}, float, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = cond(x, [] { return x * 2_c; }, [] { return x * 3_c; });  // wrong
  const auto [a, b] = cond(x, [] { return std::tuple{x, x}; }, [] { return std::tuple{x, x + 1_c}; });
  session both(a + b, y);
  both.run(a + b, x = 1.f);
}
