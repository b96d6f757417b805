// SPDX-License-Identifier: MIT
// error: one_dataset_validates_evaluate_others_in_a_callback
// error: in_function<
// error: {"fit"}
#include <etch/etch.hpp>
#include <etch/model.hpp>

using namespace etch;

int main() {
  model m(input<float, 2>, sequential(layers::dense<1>), optimizers::sgd(0.1_c), losses::mean_squared_error);
  xt::xtensor<float, 2> x, y;
  auto batches = data::slices(x, y).batch(2), validation = batches, other = batches;
  m.fit(batches, {.epochs = 2}, validation, other);  // wrong
}
