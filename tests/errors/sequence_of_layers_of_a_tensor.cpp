// SPDX-License-Identifier: MIT
// error: variables_of_layers_belong_to_sessions_and_functions_call_the_layer_in_one
// error: in_function<
// error: {"sequential"}
// error: float
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/layers.hpp>

using namespace etch;
constexpr auto net = sequential(layers::dense<4>, layers::dense<2>);

int main() {
  const tensor<float, 2> x = {{1, 2}};
  const auto y = net(x);  // wrong
}
