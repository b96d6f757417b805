// SPDX-License-Identifier: MIT
// AG-03.
// error: a_loops_state_keeps_its_dtype_and_shape
// error: {"scan"}
// error: {"h"}, float, etch::shape<>
// error: etch::operand<int, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = scan([](auto s, auto v) { return astype<int>(s + v); }, h, x);  // wrong
}
