// SPDX-License-Identifier: MIT
// error: there_is_not_one_place_for_each_operand
// error: {"print"}
// error: number_of_operands<1>
// error: number_of_operands<2>
#include <etch/etch.hpp>
#include <etch/print.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = print<"x {}">(x, x * x);  // wrong
}
