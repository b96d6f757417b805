// SPDX-License-Identifier: MIT
// error: a_loops_body_takes_the_state_and_an_element_of_each_sequence
// error: {"scan"}
// error: number_of_operands<2>
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 1> x = {1, 2, 3};
  const auto y = scan([](auto s) { return s; }, tensor(0.f), x);  // wrong
}
