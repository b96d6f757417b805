// SPDX-License-Identifier: MIT
// error: this_network_gives_no_row_for_each_sample
// error: in_function<
// error: {"predict"}
#include <vector>

#include <etch/etch.hpp>
#include <etch/model.hpp>

using namespace etch;

struct average_of_the_batch {
  template <class X, class Mode>
  constexpr auto operator()(X x, Mode) const {
    return mean(nn::dense<"dense", 3>(x), axis<0>);
  }
};

int main() {
  model m(input<float, 2>, average_of_the_batch{}, optimizers::sgd(0.1_c), losses::mean_squared_error);
  xt::xtensor<float, 2> x;
  auto batches = data::slices(x).batch(2);
  m.predict(batches);  // wrong
}
