// SPDX-License-Identifier: MIT
// error: a_sequence_has_a_batch_steps_and_features
// error: in_function<
// error: {"layers::lstm"}
// error: {"x"}, float
#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/layers/recurrent.hpp>

using namespace etch;
constexpr placeholder<"x", float, any<"batch">, 10> x;

int main() {
  constexpr auto y = layers::lstm<4>(x);  // wrong
}
