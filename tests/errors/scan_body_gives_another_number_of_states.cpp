// SPDX-License-Identifier: MIT
// error: a_loops_body_gives_as_many_states_as_it_has_and_perhaps_outputs
// error: {"scan"}
// error: number_of_operands<2>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = scan([](auto s, auto v) { return std::get<0>(s) + v; }, std::tuple{h, h * 2_c}, x);  // wrong
}
