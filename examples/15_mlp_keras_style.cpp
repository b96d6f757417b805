// SPDX-License-Identifier: MIT
// A model as Keras has it: layers, fit, evaluate, predict, a summary. It learns which of three spiral arms a point lies on.
#include <cmath>
#include <cstdio>
#include <iostream>

#include <etch/etch.hpp>
#include <etch/model.hpp>

using namespace etch::literals;

namespace {

struct spiral {
  xt::xtensor<float, 2> points;
  xt::xtensor<std::int32_t, 1> arms;

  spiral(std::size_t n, double shift) : points(xt::zeros<float>({n, std::size_t{2}})), arms(xt::zeros<std::int32_t>({n})) {
    for (std::size_t i = 0; i < n; ++i) {
      const double along = static_cast<double>(i) / static_cast<double>(n) + shift;
      const double angle = 4.5 * along + 2.0944 * static_cast<double>(i % 3) + 0.15 * std::sin(77.0 * static_cast<double>(i));
      points(i, 0) = static_cast<float>(along * std::cos(angle));
      points(i, 1) = static_cast<float>(along * std::sin(angle));
      arms(i) = static_cast<std::int32_t>(i % 3);
    }
  }
};

}  // namespace

int main() {
  constexpr auto net = etch::sequential(etch::layers::dense<64>(etch::layers::tanh), etch::layers::dense<64>(etch::layers::tanh),
                                        etch::layers::dense<3>);
  etch::model model(etch::input<float, 2>, net, etch::optimizers::adam(1e-2_c), etch::losses::sparse_softmax_cross_entropy,
                    etch::metrics::accuracy);
  static_assert(decltype(model)::parameter_count == 4547);
  model.initialize(/*seed*/ 1);
  std::cout << model.summary();

  const spiral train(1200, 0), test(300, 0.001);
  auto batches = etch::data::slices(train.points, train.arms).shuffle(1200, /*seed*/ 1).batch(50);
  auto check = etch::data::slices(test.points, test.arms).batch(100);
  const etch::history history = model.fit(batches, {.epochs = 40}, check);
  for (std::size_t epoch = 0; epoch < history.epochs(); epoch += 13)
    std::printf("epoch %2zu: loss %.4f, accuracy %.3f, val_accuracy %.3f\n", epoch + 1, history["loss"][epoch],
                history["accuracy"][epoch], history["val_accuracy"][epoch]);

  const auto [loss, accuracy] = model.evaluate(check);
  std::printf("loss %.4f, accuracy %.3f\n", loss, accuracy);
  const xt::xtensor<float, 2> logits = model.predict(xt::xtensor<float, 2>{{0.4f, 0.3f}});
  std::printf("logits of (0.4, 0.3): %.2f %.2f %.2f\n", static_cast<double>(logits(0, 0)), static_cast<double>(logits(0, 1)),
              static_cast<double>(logits(0, 2)));
  return accuracy > 0.95 ? 0 : 1;
}
