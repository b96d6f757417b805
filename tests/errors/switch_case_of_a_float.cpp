// SPDX-License-Identifier: MIT
// error: what_chooses_a_case_is_one_integer
// error: {"switch_case"}
// error: {"x"}, float, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto z = switch_case(x, [] { return x * 2_c; }, [] { return x * 3_c; });  // wrong
}
