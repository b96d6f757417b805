// SPDX-License-Identifier: MIT
// error: a_loops_body_gives_as_many_states_as_it_has_and_perhaps_outputs
// error: {"scan"}
// error: number_of_operands<1>
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 1> x = {1, 2};
  const auto y = scan([](auto s, auto v) { return std::tuple{s, v, s}; }, tensor(0.f), x);  // wrong
}
