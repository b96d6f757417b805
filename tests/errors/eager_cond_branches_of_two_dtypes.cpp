// SPDX-License-Identifier: MIT
// error: the_branches_give_values_of_one_dtype_and_shape
// error: {"cond"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 1> x = {1, 2};
  const auto y = cond(sum(x) > 0_c, [=] { return x; }, [=] { return x > 0_c; });  // wrong
}
