// SPDX-License-Identifier: MIT
// error: this_member_of_a_callback_takes_other_arguments
// error: in_function<
// error: {"fit"}
// error: after_batch(model, batch, x, target)
#include <etch/etch.hpp>
#include <etch/model.hpp>

using namespace etch;

struct watch {
  template <class Model>
  bool after_batch(Model&, const fit_batch&) {
    return false;
  }
  template <class Model>
  void operator()(Model&, const history&) {}
};

int main() {
  model m(input<float, 2>, sequential(layers::dense<1>), optimizers::sgd(0.1_c), losses::mean_squared_error);
  xt::xtensor<float, 2> x, y;
  auto batches = data::slices(x, y).batch(2);
  m.fit(batches, {.epochs = 2}, watch());  // wrong
}
