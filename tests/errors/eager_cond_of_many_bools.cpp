// SPDX-License-Identifier: MIT
// error: a_condition_is_one_bool
// error: {"cond"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 1> x = {1, 2};
  const auto y = cond(x > 0_c, [=] { return x; }, [=] { return -x; });  // wrong
}
