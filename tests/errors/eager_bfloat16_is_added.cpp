// SPDX-License-Identifier: MIT
// error: this_dtype_is_for_storage_write_astype_float_of_it_first
// error: add
// error: etch::bfloat16
#include <etch/eager.hpp>

using namespace etch;

int main() {
  const tensor<bfloat16, 1> x = {1, 2};
  const auto y = x + x;  // wrong
}
