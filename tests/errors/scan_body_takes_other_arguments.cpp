// SPDX-License-Identifier: MIT
// error: a_loops_body_takes_the_state_and_an_element_of_each_sequence
// error: {"scan"}
// error: number_of_operands<3>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = scan([](auto s, auto v) { return s + v; }, h, x, x * 2_c);  // wrong
}
