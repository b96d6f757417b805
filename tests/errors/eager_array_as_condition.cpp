// SPDX-License-Identifier: MIT
// EAG-05.
// error: only_a_scalar_is_true_or_false_use_reduce_any_or_reduce_all
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<float, 1> a = {1, 2}, b = {2, 1};
  return a == b ? 1 : 0;  // wrong
}
