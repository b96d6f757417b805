// SPDX-License-Identifier: MIT
// error: what_chooses_a_case_is_one_integer
// error: {"switch_case"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 0> x = 1;
  const auto y = switch_case(x, [=] { return x; }, [=] { return -x; });  // wrong
}
