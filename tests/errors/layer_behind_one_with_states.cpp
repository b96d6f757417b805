// SPDX-License-Identifier: MIT
// error: a_layer_behind_one_that_gives_several_values_takes_one
// error: {"dense"}
#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/layers.hpp>
#include <etch/layers/recurrent.hpp>

using namespace etch;
constexpr placeholder<"x", float, any<"batch">, 10, 3> x;

int main() {
  constexpr auto y = sequential(layers::gru<4>(layers::return_state), layers::dense<2>)(x);  // wrong
}
