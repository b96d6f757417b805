// SPDX-License-Identifier: MIT
// AG-02.
// error: a_branch_does_not_take_what_stands_behind_the_branches
// error: {"cond"}
// error: number_of_operands<1>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = cond(x > 0_c, [](auto a) { return a; }, [](auto a, auto b) { return a + b; }, x);  // wrong
  session s(y + 1_c);
  s.run(y + 1_c, x = 1.f);
}
