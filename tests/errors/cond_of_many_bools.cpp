// SPDX-License-Identifier: MIT
// AG-01.
// error: a_condition_is_one_bool
// error: {"cond"}
// error: etch::operand<bool, etch::shape<3>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = cond(x > 0_c, [] { return x * 2_c; }, [] { return x * 3_c; });  // wrong
}
