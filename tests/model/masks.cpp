// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <etch/etch.hpp>
#include <etch/layers.hpp>
#include <etch/layers/recurrent.hpp>
#include <etch/model.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

const xt::xtensor<std::int32_t, 2> tokens = {{3, 1, 0, 0}, {2, 0, 4, 1}, {1, 1, 2, 3}};
const xt::xtensor<std::int32_t, 2> labels = {{1, 0, 2, 2}, {0, 1, 2, 1}, {2, 1, 0, 0}};
constexpr auto net = sequential(layers::embedding<5, 3>(layers::mask_zero), layers::gru<2>(layers::return_sequences),
                                layers::dropout(0_c), layers::dense<3>);

}  // namespace

TEST_CASE("a model whose network hides steps: evaluate and train_on_batch have Keras's values (tests/model/mask_values.py)") {
  model m(input<std::int32_t, 4>, net, optimizers::sgd(0.5_c), losses::sparse_softmax_cross_entropy);
  const std::string names[] = {"embedding/table",   "gru/gru_cell/kernel", "gru/gru_cell/recurrent_kernel",
                               "gru/gru_cell/bias", "dense/kernel",        "dense/bias"};
  for (int k = 0; k < 6; ++k) {
    auto v = m.session().variables().at(names[k]);
    std::vector<float> values(static_cast<std::size_t>(v.elements()));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(0.4 * std::sin(0.37 * static_cast<double>(i) + k));
    v.set(values);
  }
  CHECK(m.evaluate(tokens, labels, 3)[0] == doctest::Approx(1.1179242134094238));
  CHECK(m.evaluate(tokens, labels, 2)[0] == doctest::Approx(1.117895245552063));
  // The same network as one layer.
  model one(input<std::int32_t, 4>, layers::named<"one">(net), optimizers::sgd(0.5_c), losses::sparse_softmax_cross_entropy);
  for (auto v : m.variables()) one.session().variables().at("one/" + std::string(v.name())).set(v.get<float>());
  CHECK(one.test_on_batch(tokens, labels)[0] == doctest::Approx(1.1179242134094238));
  CHECK(m.train_on_batch(tokens, labels)[0] == doctest::Approx(1.1179242134094238));
  CHECK(m.train_on_batch(tokens, labels)[0] == doctest::Approx(1.098325252532959));
  const auto table = m.session().variables().at("embedding/table").get<float>();
  const float expected[] = {0, 0.1446462f, 0.2697152f, 0.3580204f, 0.4002587f, 0.3824999f, 0.3183326f};
  for (std::size_t i = 0; i < 7; ++i) CHECK(table[i] == doctest::Approx(expected[i]).epsilon(1e-5));
  const auto bias = m.session().variables().at("gru/gru_cell/bias").get<float>();
  CHECK(bias[0] == doctest::Approx(0.05683877));
  CHECK(bias[11] == doctest::Approx(0.2731204));
  const auto kernel = m.session().variables().at("dense/kernel").get<float>();
  CHECK(kernel[5] == doctest::Approx(-0.1390326));

  // The same network with a weight of each sample.
  model weighted(input<std::int32_t, 4>, net, optimizers::sgd(0.5_c), losses::weighted(losses::sparse_softmax_cross_entropy),
                 metrics::accuracy);
  for (auto v : m.variables()) weighted.session().variables().at(std::string(v.name())).set(v.get<float>());
  const xt::xtensor<float, 1> weights = {1, 3, 0.5};
  const auto loss_and_accuracy = weighted.test_on_batch(tokens, labels, weights);
  CHECK(loss_and_accuracy[0] == doctest::Approx(1.5795091390609741));
  // Metrics count all twelve steps.
  CHECK(std::fmod(loss_and_accuracy[1] * 12, 1) == doctest::Approx(0).epsilon(1e-5));
  CHECK(loss_and_accuracy[1] > 0);
}

namespace {

template <class Loss>
void expect_keras(const char* name, Loss loss, double first, double second, double weighed) {
  CAPTURE(name);
  constexpr auto of_words = sequential(layers::embedding<5, 3>(layers::mask_zero), layers::dense<3>);
  xt::xtensor<float, 3> target = xt::zeros<float>({3, 4, 3});
  for (std::size_t i = 0; i < 12; ++i) target.data()[3 * i + i * i % 3] = 1;
  model m(input<std::int32_t, 4>, of_words, optimizers::sgd(0.5_c), loss);
  const std::string names[] = {"embedding/table", "dense/kernel", "dense/bias"};
  for (int k = 0; k < 3; ++k) {
    auto v = m.session().variables().at(names[k]);
    std::vector<float> values(static_cast<std::size_t>(v.elements()));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(0.4 * std::sin(0.37 * static_cast<double>(i) + k));
    v.set(values);
  }
  CHECK(m.train_on_batch(tokens, target)[0] == doctest::Approx(first).epsilon(1e-6));
  CHECK(m.test_on_batch(tokens, target)[0] == doctest::Approx(second).epsilon(1e-6));
  model weighted(input<std::int32_t, 4>, of_words, optimizers::sgd(0.5_c), losses::weighted(loss));
  for (auto v : m.variables()) weighted.session().variables().at(std::string(v.name())).set(v.template get<float>());
  CHECK(weighted.test_on_batch(tokens, target, xt::xtensor<float, 1>{1, 3, 0.5})[0] == doctest::Approx(weighed).epsilon(1e-6));
}

}  // namespace

TEST_CASE("a model whose network hides steps: losses of elements leave them out, too, as Keras's (tests/model/mask_values.py)") {
  expect_keras("mean_squared_error", losses::mean_squared_error, 0.22452984750270844, 0.180853471159935, 0.2710547149181366);
  expect_keras("softmax_cross_entropy", losses::softmax_cross_entropy, 1.066788911819458, 0.951209545135498, 1.374480128288269);
  expect_keras("sigmoid_cross_entropy", losses::sigmoid_cross_entropy, 0.756897509098053, 0.7298079133033752, 1.0521656274795532);
  expect_keras("cosine_similarity", losses::cosine_similarity, -0.6220449209213257, -0.7273719906806946, -1.0820850133895874);
}

TEST_CASE(
    "a model whose network hides steps: what is hidden changes neither loss nor gradient, and a batch of nothing else is "
    "harmless") {
  const auto train = [](const xt::xtensor<std::int32_t, 2>& targets) {
    model m(input<std::int32_t, 4>, net, optimizers::sgd(0.5_c), losses::sparse_softmax_cross_entropy);
    m.initialize(1);
    m.train_on_batch(tokens, targets);
    std::vector<float> all;
    for (auto v : m.variables())
      for (const float x : v.get<float>()) all.push_back(x);
    return all;
  };
  xt::xtensor<std::int32_t, 2> others = labels;
  others(0, 2) = 0;
  others(0, 3) = 1;
  others(1, 1) = 2;
  CHECK(train(labels) == train(others));
  others(0, 0) = 2;
  CHECK(train(labels) != train(others));

  model m(input<std::int32_t, 4>, net, optimizers::sgd(0.5_c), losses::sparse_softmax_cross_entropy);
  const xt::xtensor<std::int32_t, 2> nothing = xt::zeros<std::int32_t>({3, 4});
  CHECK(m.train_on_batch(nothing, labels)[0] == 0);
  for (auto v : m.variables())
    for (const float x : v.get<float>()) CHECK(std::isfinite(x));
}
TEST_CASE("batch_norm of steps that are all hidden, or of none, keeps numbers") {
  constexpr auto network = sequential(layers::embedding<11, 5>(layers::mask_zero), layers::batch_norm, layers::dense<3>);
  for (const std::size_t count : {std::size_t{4}, std::size_t{0}}) {
    CAPTURE(count);
    model m(input<std::int32_t, any<"steps">>, network, optimizers::adam(1e-2_c), losses::sparse_softmax_cross_entropy);
    const xt::xtensor<std::int32_t, 2> padding = xt::zeros<std::int32_t>({std::size_t{3}, count});
    m.fit(padding, padding);
    // 0.99 of what they begin as: the moments of nothing count as 0.
    for (const float v : m.session().variables().at("batch_norm/moving_mean").get<float>()) CHECK(v == 0);
    for (const float v : m.session().variables().at("batch_norm/moving_variance").get<float>()) CHECK(v == doctest::Approx(0.99));
    for (auto v : m.variables())
      for (const float e : v.get<float>()) CHECK(std::isfinite(e));
  }
}
