// SPDX-License-Identifier: MIT
// error: shapes_do_not_broadcast
// error: in_op<
#include <etch/etch.hpp>
#include <etch/model.hpp>
using namespace etch;
using namespace etch::literals;
constexpr auto net = sequential(layers::dense<3>);
int main() {
  model m(input<float, 2>, net, optimizers::adam(1e-3_c), losses::sparse_softmax_cross_entropy, metrics::precision());  // wrong
}
