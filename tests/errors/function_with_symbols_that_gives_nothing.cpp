// SPDX-License-Identifier: MIT
// error: a_functions_body_gives_an_expression_or_a_structure_of_some
// error: got<void>
#include <etch/etch.hpp>
#include <etch/function.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  function f([](auto) {});
  f(x);  // wrong
}
