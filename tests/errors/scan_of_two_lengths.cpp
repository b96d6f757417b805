// SPDX-License-Identifier: MIT
// error: sequences_that_are_scanned_together_have_one_length
// error: {"scan"}
// error: {"x"}, float, etch::shape<3>
// error: {"y"}, float, etch::shape<4>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 4> y;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto z = scan([](auto s, auto a, auto b) { return s + a * b; }, h, x, y);  // wrong
}
