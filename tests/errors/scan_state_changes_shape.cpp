// SPDX-License-Identifier: MIT
// AG-03.
// error: a_loops_state_keeps_its_dtype_and_shape
// error: {"scan"}
// error: {"h"}, float, etch::shape<>
// error: etch::operand<float, etch::shape<2>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 3, 2> x;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = scan([](auto s, auto v) { return s + v; }, h, x);  // wrong
}
