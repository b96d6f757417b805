// SPDX-License-Identifier: MIT
// error: a_number_has_no_shape_where_the_other_branch_gives_an_array
// error: {"cond"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 1> x = {1, 2};
  const auto y = cond(sum(x) > 0_c, [=] { return x; }, [] { return 0_c; });  // wrong
}
