// SPDX-License-Identifier: MIT
// error: a_variable_starts_from_an_expression
// error: {"w"}
// error: {"variable<\"w\">(zeros(shape<2, 3>{}))"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto w = variable<"w">(0.5f);  // wrong
}
