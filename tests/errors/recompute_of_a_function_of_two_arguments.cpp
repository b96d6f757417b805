// SPDX-License-Identifier: MIT
// error: what_is_computed_again_takes_the_values_behind_it
// error: {"recompute"}
// error: number_of_operands<1>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = recompute([](auto a, auto b) { return a * b; }, x);  // wrong
  session s(y);
}
