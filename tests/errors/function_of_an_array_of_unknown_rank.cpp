// SPDX-License-Identifier: MIT
// error: the_rank_of_this_argument_is_not_known_to_the_compiler_hand_over_a_tensor_of_known_rank
// error: tensor<float
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  function f([](auto x) { return x + 1_c; });
  const tensor<float> x = tensor<float, 1>{1, 2};
  f(x);  // wrong
}
