// SPDX-License-Identifier: MIT
// EAG-02.
// error: this_is_a_tensor_of_another_dtype_or_number_of_axes
// error: got<double, etch::number_of_axes<1>
// error: expected<float, etch::number_of_axes<1>
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const xt::xtensor<double, 1> numbers = {1, 2};
  const etch::tensor<float, 1> y = numbers;  // wrong
}
