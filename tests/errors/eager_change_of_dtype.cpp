// SPDX-License-Identifier: MIT
// EAG-02.
// error: this_change_would_give_another_dtype_cast_what_stands_on_the_right
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  etch::tensor<int, 1> counts = {1, 2};
  const etch::tensor<float, 1> halves = {0.5f, 0.5f};
  counts += halves;  // wrong
}
