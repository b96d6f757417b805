// SPDX-License-Identifier: MIT
// error: a_sequence_has_a_first_axis_along_which_it_is_scanned
// error: {"scan"}
// error: {"x"}, float, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = scan([](auto s, auto v) { return s + v; }, h, x);  // wrong
}
