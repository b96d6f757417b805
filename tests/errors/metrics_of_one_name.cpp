// SPDX-License-Identifier: MIT
// error: two_metrics_of_a_model_have_this_name
// error: in_function<
// error: {"metrics::precision"}
// error: {"metrics::named<\"another\">(metrics:
#include <etch/etch.hpp>
#include <etch/model.hpp>
using namespace etch;
using namespace etch::literals;
constexpr auto net = sequential(layers::dense<3>);
constexpr auto adam = optimizers::adam(1e-3_c);
int main() {
  model m(input<float, 2>, net, adam, losses::hinge, metrics::precision(), metrics::precision(0.9_c));  // wrong
}
