// SPDX-License-Identifier: MIT
// error: a_float_is_no_value_of_the_other_operands_dtype_cast_that_first
// error: got<double>
// error: expected<int>
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<int, 1> counts = {1, 2, 3};
  const auto halves = counts * 0.5;  // wrong
}
