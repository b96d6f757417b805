// SPDX-License-Identifier: MIT
// error: a_condition_is_one_bool
// error: {"while_loop"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 0> x = 1;
  const auto y = while_loop([](auto s) { return s; }, [](auto s) { return s - 1_c; }, x);  // wrong
}
