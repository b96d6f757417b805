// SPDX-License-Identifier: MIT
// AG-03.
// error: a_condition_is_one_bool
// error: {"while_loop"}
// error: etch::operand<float, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = while_loop([](auto s) { return s - 1_c; }, [](auto s) { return s * 2_c; }, h);  // wrong
}
