// SPDX-License-Identifier: MIT
// error: a_variable_starts_from_an_expression
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<float, 1> start = {1, 2};
  const auto w = etch::variable<"w">(start);  // wrong
}
