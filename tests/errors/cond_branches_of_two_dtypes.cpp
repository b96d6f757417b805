// SPDX-License-Identifier: MIT
// AG-02.
// error: the_branches_give_values_of_one_dtype_and_shape
// error: {"cond"}
// error: etch::operand<float, etch::shape<>
// error: etch::operand<int, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = cond(x > 0_c, [] { return x * 2_c; }, [] { return astype<int>(x); });  // wrong
}
