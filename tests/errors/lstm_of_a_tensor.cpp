// SPDX-License-Identifier: MIT
// error: variables_of_layers_belong_to_sessions_and_functions_call_the_layer_in_one
// error: in_function<
// error: {"layers::lstm"}
// error: float
#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/layers/recurrent.hpp>

using namespace etch;

int main() {
  const tensor<float, 3> x = {{{1, 2}}};
  const auto y = layers::lstm<4>(x);  // wrong
}
