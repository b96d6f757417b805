// SPDX-License-Identifier: MIT
// EAG-02.
// error: this_is_a_tensor_of_another_dtype_or_number_of_axes
// error: got<int, etch::number_of_axes<1>
// error: expected<float, etch::number_of_axes<1>
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  etch::eager::variable w(etch::tensor<float, 1>{1, 2});
  w.assign(etch::tensor<int, 1>{1, 2});  // wrong
}
