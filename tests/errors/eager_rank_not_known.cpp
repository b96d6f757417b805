// SPDX-License-Identifier: MIT
// error: the_rank_of_this_tensor_is_not_known_to_the_compiler_convert_it_to_one_first
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<float> any = etch::tensor<float, 2>{{1, 2}};
  const auto y = etch::cumsum(any, etch::axis<0>);  // wrong
}
