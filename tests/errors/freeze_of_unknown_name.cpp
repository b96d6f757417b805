// SPDX-License-Identifier: MIT
// error: no_layer_of_this_sequence_has_this_name
// error: {"dense_2"}
// error: {"dense"}
// error: {"out"}
// error: {"dense_1"}
#include <etch/etch.hpp>
#include <etch/layers.hpp>

using namespace etch;

int main() {
  constexpr auto net = sequential(layers::dense<4>, layers::named<"out">(layers::dense<2>), layers::dense<1>);
  constexpr auto frozen = net.freeze<"dense_2">();  // wrong
}
