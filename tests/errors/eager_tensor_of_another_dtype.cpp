// SPDX-License-Identifier: MIT
// EAG-02.
// error: this_is_a_tensor_of_another_dtype_or_number_of_axes
// error: number_of_axes<1>
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<float, 1> y = etch::zeros<int>(etch::shape<2>{});  // wrong
}
