// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <etch/etch.hpp>
#include <etch/model.hpp>
#include <etch/model/nan_trap.hpp>

// The values of Keras 3.15 (tests/model/weights_values.py) for a dense layer of ones, SGD, and weights of samples.

namespace {

using namespace etch;
using namespace etch::literals;

const xt::xtensor<float, 2> x = {{1, 2}, {3, -1}, {0, 4}, {-2, 1}, {5, 0}, {1, 1}};
const xt::xtensor<float, 2> y = {{1}, {0}, {3}, {-1}, {2}, {4}};
const xt::xtensor<float, 1> weights = {1, 0, 2.5, 0.5, 1, 3};

constexpr auto net = sequential(layers::dense<1>(layers::identity, initializers::ones));

}  // namespace

TEST_CASE("a weighted loss: evaluate, train_on_batch and fit have Keras's values") {
  model m(input<float, 2>, net, optimizers::sgd(0.05_c), losses::weighted(losses::mean_squared_error),
          metrics::mean_absolute_error);
  const auto check_variables = [&](const std::vector<float>& kernel, float bias) {
    for (std::size_t i = 0; i < 2; ++i) CHECK(m.variables()[0].get<float>()[i] == doctest::Approx(kernel[i]));
    CHECK(m.variables()[1].get<float>()[0] == doctest::Approx(bias));
  };
  const auto before = m.evaluate(x, y, weights, 4);
  CHECK(before[0] == doctest::Approx(4.583333492279053));
  CHECK(before[1] == doctest::Approx(1.6666666269302368));
  const auto batch = m.train_on_batch(x, y, weights);
  CHECK(batch[0] == doctest::Approx(4.583333492279053));
  CHECK(batch[1] == doctest::Approx(1.6666666269302368));
  check_variables({0.8166666626930237f, 0.8666666746139526f}, -0.02500000037252903f);
  const history h = m.fit(data::slices(x, y, weights).batch(4), {.epochs = 2});
  CHECK(h["loss"][0] == doctest::Approx(4.492063045501709));
  CHECK(h["loss"][1] == doctest::Approx(5.662485122680664));
  CHECK(h["mean_absolute_error"][1] == doctest::Approx(1.6500948667526245));
  check_variables({0.7143781185150146f, 0.9838482141494751f}, 0.3793359398841858f);
  CHECK(m.test_on_batch(x, y, weights)[0] > 0);
}

TEST_CASE("a weighted loss of sequences weighs samples, and labels are checked as without weights") {
  constexpr auto words = sequential(layers::dense<3>(layers::identity, initializers::ones, initializers::ones));
  model m(input<float, 4, 3>, words, optimizers::sgd(0.05_c), losses::weighted(losses::sparse_softmax_cross_entropy));
  xt::xtensor<float, 3> sequences = xt::zeros<float>({2, 4, 3});
  for (std::size_t i = 0; i < 24; ++i) sequences.data()[i] = static_cast<float>(i % 5) - 2;
  xt::xtensor<std::int32_t, 2> labels = {{0, 1, 2, 1}, {2, 2, 0, 1}};
  const xt::xtensor<float, 1> two_weights = {1, 3};
  CHECK(m.train_on_batch(sequences, labels, two_weights)[0] == doctest::Approx(2.1972246170043945));
  const std::vector<float> kernel = {1.0187499523162842f, 1.0125000476837158f, 0.96875f,
                                     1.0208333730697632f, 0.9895833134651184f, 0.9895833134651184f,
                                     0.9604166746139526f, 0.9979166388511658f, 1.0416666269302368f},
                           bias = {0.9916666746139526f, 0.9979166388511658f, 1.0104166269302368f};
  for (std::size_t i = 0; i < 9; ++i) CHECK(m.variables()[0].get<float>()[i] == doctest::Approx(kernel[i]));
  for (std::size_t i = 0; i < 3; ++i) CHECK(m.variables()[1].get<float>()[i] == doctest::Approx(bias[i]));
  labels(1, 0) = 3;
  CHECK_THROWS_WITH_AS(m.train_on_batch(sequences, labels, two_weights),
                       "train_on_batch: the label of sample 1 of the epoch is 3, of 3 classes", etch::error);
}

TEST_CASE("weights of one are no weights; a sample of weight 0 is not learnt from") {
  model plain(input<float, 2>, net, optimizers::sgd(0.05_c), losses::mean_squared_error);
  model weighted(input<float, 2>, net, optimizers::sgd(0.05_c), losses::weighted(losses::mean_squared_error));
  const xt::xtensor<float, 1> ones = xt::ones<float>({6});
  plain.fit(x, y, {.epochs = 3, .batch = 4, .seed = 7});
  weighted.fit(x, y, ones, {.epochs = 3, .batch = 4, .seed = 7});
  CHECK(plain.predict(x) == weighted.predict(x));

  const xt::xtensor<float, 1> last_only = {0, 0, 0, 0, 0, 6};
  const xt::xtensor<float, 2> last_x = {{1, 1}}, last_y = {{4}};
  plain.initialize();
  weighted.initialize();
  plain.train_on_batch(last_x, last_y);
  weighted.train_on_batch(x, y, last_only);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(plain.variables()[0].get<float>()[i] == doctest::Approx(weighted.variables()[0].get<float>()[i]));
}
TEST_CASE("nan_trap computes a weighted step again, with the weights of its batch") {
  constexpr auto root = sequential(layers::dense<1>(layers::identity, initializers::ones), [](auto z) { return etch::sqrt(z); });
  model m(input<float, 2>, root, optimizers::sgd(0.05_c), losses::weighted(losses::mean_squared_error));
  const auto error_with = [&](const xt::xtensor<float, 2>& inputs, const xt::xtensor<float, 1>& w) {
    try {
      m.fit(data::slices(inputs, y, w).batch(6), {}, nan_trap());
    } catch (const error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  // -1 in row 3 alone.
  const std::string of_root = error_with(x, weights);
  CHECK(of_root.starts_with("fit: epoch 1, batch 0: trap_nan: element 3 of "));
  CHECK(of_root.find(": sqrt float32[") != std::string::npos);
  xt::xtensor<float, 1> wrong = weights;
  wrong(4) = std::nanf("");
  const xt::xtensor<float, 2> positive = xt::abs(x);
  const std::string of_weights = error_with(positive, wrong);
  CHECK(of_weights.starts_with("fit: epoch 1, batch 0: trap_nan: element 4 of "));
}
