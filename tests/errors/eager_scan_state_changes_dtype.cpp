// SPDX-License-Identifier: MIT
// error: a_loops_state_keeps_its_dtype_and_shape
// error: {"scan"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<int, 1> x = {1, 2};
  const auto y = scan([](auto s, auto v) { return astype<float>(s) + v; }, tensor(0), x);  // wrong
}
