// SPDX-License-Identifier: MIT
// FUN-13.
// error: a_functions_body_gives_an_expression_or_a_structure_of_some
// error: got<int>
#include <etch/function.hpp>

using namespace etch;

int main() {
  function f([](auto) { return 3; });
  f(tensor(3.f));  // wrong
}
