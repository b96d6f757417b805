// SPDX-License-Identifier: MIT
// error: this_is_no_metric_of_a_model
// error: in_function<
// error: {"model"}
// error: instead_write<
// error: {"metrics::mean<\"name\">(f)"}
#include <etch/etch.hpp>
#include <etch/model.hpp>
using namespace etch;
using namespace etch::literals;
constexpr auto net = sequential(layers::dense<3>);
int main() {
  model m(input<float, 2>, net, optimizers::adam(1e-3_c), losses::mean_squared_error, losses::mean_absolute_error);  // wrong
}
