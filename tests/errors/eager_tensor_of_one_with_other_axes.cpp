// SPDX-License-Identifier: MIT
// EAG-02.
// error: this_is_a_tensor_of_another_dtype_or_number_of_axes
// error: got<float, etch::number_of_axes<2>
// error: expected<float, etch::number_of_axes<1>
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<float, 2> matrix = {{1, 2}};
  const etch::tensor<float, 1> y = matrix;  // wrong
}
