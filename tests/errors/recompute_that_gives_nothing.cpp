// SPDX-License-Identifier: MIT
// error: what_is_computed_again_gives_an_expression_or_a_tuple_of_some
// error: {"recompute"}
// error: got<void>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = recompute([](auto) {}, x);  // wrong
  session s(y);
}
