// SPDX-License-Identifier: MIT
// error: the_elements_of_this_dataset_are_no_inputs_and_targets_of_the_model
// error: in_function<
// error: {"predict"}
#include <vector>

#include <etch/etch.hpp>
#include <etch/model.hpp>

using namespace etch;

int main() {
  model m(input<float, 2>, sequential(layers::dense<3>), optimizers::sgd(0.1_c), losses::sparse_softmax_cross_entropy);
  xt::xtensor<double, 2> x;
  auto batches = data::slices(x).batch(2);
  m.predict(batches);  // wrong
}
