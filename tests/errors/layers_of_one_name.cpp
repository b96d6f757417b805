// SPDX-License-Identifier: MIT
// error: two_layers_in_one_place_have_this_name
// error: layer_named<
// error: {"dense_1"}
#include <etch/etch.hpp>
#include <etch/layers.hpp>

using namespace etch;

constexpr placeholder<"x", float, any<"batch">, 4> x;

int main() {
  constexpr auto net = sequential(layers::named<"dense_1">(layers::dense<4>), layers::dense<4>, layers::dense<4>);  // wrong
  constexpr auto y = net(x);
}
