// SPDX-License-Identifier: MIT
// error: a_branch_gives_an_expression_or_a_tuple_of_some
// error: {"cond"}
// error: got<void>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = cond(x > 0_c, [] { return x; }, [] {});  // wrong
  session s(y);
  s.run(y, x = 1.f);
}
