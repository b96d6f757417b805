// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <etch/etch.hpp>
#include <etch/losses/circle.hpp>
#include <etch/losses/ctc.hpp>
#include <etch/model.hpp>
#include <nn/numbers.hpp>

/// Metrics, schedules and averages in `fit`.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto classifier = sequential(layers::dense<8>(layers::tanh), layers::dense<1>);
constexpr auto three = sequential(layers::dense<3>);

/// Points, and whether they are in a ring.
struct points {
  xt::xtensor<float, 2> x = xt::cast<float>(numbers(1, 120, 2, -1, 1)), t = xt::zeros<float>({120, 1});
  points() {
    for (std::size_t i = 0; i < 120; ++i) t(i, 0) = std::hypot(x(i, 0), x(i, 1)) < 0.7f ? 1 : 0;
  }
};

struct sequences {
  xt::xtensor<float, 3> x = xt::zeros<float>({6, 5, 2});
  xt::xtensor<std::int32_t, 2> t = xt::zeros<std::int32_t>({6, 5});
  sequences() {
    const xt::xtensor<double, 2> all = numbers(3, 30, 2, -1, 1);
    for (std::size_t i = 0; i < 60; ++i) x.data()[i] = static_cast<float>(all.data()[i]);
    for (std::size_t i = 0; i < 30; ++i) t.data()[i] = static_cast<std::int32_t>(i * 5 % 7 % 3);
  }
};

}  // namespace

TEST_CASE("MET: metrics beside the loss, in training and in validation, add up over uneven batches") {
  const points data;
  model m(input<float, 2>, classifier, optimizers::adam(3e-2_c), losses::sigmoid_cross_entropy, metrics::binary_accuracy(0_c),
          metrics::precision(0_c), metrics::recall(0_c), metrics::f1(0_c), metrics::from_logits(metrics::auc),
          metrics::mean<"largest">([](auto y, auto) { return y; }));
  m.initialize(1);
  auto check = data::slices(data.x, data.t).batch(50);
  const history h = m.fit(data.x, data.t, {.epochs = 3, .batch = 32}, check);
  CHECK(h.names() == std::vector<std::string>{"loss", "binary_accuracy", "precision", "recall", "f1", "auc", "largest", "val_loss",
                                              "val_binary_accuracy", "val_precision", "val_recall", "val_f1", "val_auc",
                                              "val_largest"});
  const xt::xtensor<float, 2> logits = m.predict(data.x);
  double right = 0, both = 0, predicted = 0, positives = 0, loss = 0, pairs = 0, above = 0, total = 0;
  for (std::size_t i = 0; i < 120; ++i) {
    const bool is = data.t(i, 0) > 0, says = logits(i, 0) > 0;
    const double z = static_cast<double>(logits(i, 0));
    right += is == says;
    both += is && says;
    predicted += says;
    positives += is;
    total += z;
    loss += std::log1p(std::exp(is ? -z : z));
    for (std::size_t k = 0; k < 120; ++k)
      if (is && data.t(k, 0) == 0) {
        pairs += 1;
        above += logits(i, 0) > logits(k, 0) ? 1 : 0;
      }
  }
  CHECK(h["val_loss"].back() == doctest::Approx(loss / 120).epsilon(1e-5));
  CHECK(h["val_binary_accuracy"].back() == doctest::Approx(right / 120));
  CHECK(h["val_precision"].back() == doctest::Approx(both / predicted));
  CHECK(h["val_recall"].back() == doctest::Approx(both / positives));
  CHECK(h["val_f1"].back() == doctest::Approx(2 * both / (predicted + positives)));
  CHECK(std::abs(h["val_auc"].back() - above / pairs) < 0.01);
  CHECK(h["val_largest"].back() == doctest::Approx(total / 120).epsilon(1e-5));
  const auto values = m.evaluate(check);
  static_assert(values.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(values[i] == h["val_" + std::string(m.names[i])].back());
}
TEST_CASE("MET: a metric that is an array is no number of the history, and is had by itself") {
  const xt::xtensor<float, 2> x = xt::cast<float>(numbers(2, 40, 2));
  xt::xtensor<std::int32_t, 1> t = xt::zeros<std::int32_t>({40});
  for (std::size_t i = 0; i < 40; ++i) t(i) = static_cast<std::int32_t>(i % 3);
  model m(input<float, 2>, three, optimizers::sgd(0.1_c), losses::sparse_softmax_cross_entropy, metrics::confusion_matrix,
          metrics::accuracy);
  m.initialize(3);
  const auto [loss, accuracy] = m.evaluate(x, t, 16);
  const xt::xtensor<double, 2> counts = m.result(metrics::confusion_matrix);
  const xt::xtensor<float, 2> logits = m.predict(x);
  xt::xtensor<double, 2> expected = xt::zeros<double>({3, 3});
  for (std::size_t i = 0; i < 40; ++i) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (logits(i, k) > logits(i, best)) best = k;
    expected(static_cast<std::size_t>(t(i)), best) += 1;
  }
  CHECK(counts == expected);
  CHECK(accuracy == doctest::Approx((expected(0, 0) + expected(1, 1) + expected(2, 2)) / 40));
  CHECK(m.fit(x, t).names() == std::vector<std::string>{"loss", "accuracy"});
}
TEST_CASE("MET: the loss and the metrics of sequences are means over their steps") {
  // (batch, 5, 2) gives (batch, 5, 3), with a label for each of the five.
  const sequences data;
  model m(input<float, 5, 2>, three, optimizers::sgd(0.1_c), losses::sparse_softmax_cross_entropy, metrics::accuracy,
          metrics::perplexity);
  m.initialize(3);
  const auto [loss, accuracy, perplexed] = m.evaluate(data.x, data.t, 4);
  const xt::xtensor<float, 3> logits = m.predict(data.x);
  double right = 0, entropy = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 5; ++k) {
      const auto label = static_cast<std::size_t>(data.t(i, k));
      double exponentials = 0;
      bool best = true;
      for (std::size_t c = 0; c < 3; ++c) {
        exponentials += std::exp(static_cast<double>(logits(i, k, c)));
        best = best && (c == label || logits(i, k, c) < logits(i, k, label));
      }
      right += best;
      entropy += std::log(exponentials) - static_cast<double>(logits(i, k, label));
    }
  CHECK(loss == doctest::Approx(entropy / 30).epsilon(1e-5));
  CHECK(accuracy == doctest::Approx(right / 30));
  CHECK(perplexed == doctest::Approx(std::exp(entropy / 30)).epsilon(1e-5));
}
TEST_CASE("OPT: fit with a schedule, decay and a limit is the loop by hand with these rates") {
  const points data;
  model m(input<float, 2>, classifier,
          optimizers::momentum(schedules::warm_up(schedules::exponential_decay(0.1_c, 4_c, 0.5_c), 4_c))
              .weight_decay(0.1_c, variables_not_named<"bias">)
              .clip_by_global_norm(0.5_c),
          losses::sigmoid_cross_entropy);
  m.initialize(2);
  m.fit(data.x, data.t, {.epochs = 2, .batch = 40});

  constexpr auto in = input<float, 2>.slot;
  constexpr placeholder<"target", float, any<"batch">, 1> target;
  constexpr placeholder<"rate", double> rate;
  constexpr auto logits = classifier(in, nn::training);
  constexpr auto step = optimizers::momentum(rate)
                            .weight_decay(0.1_c, variables_not_named<"bias">)
                            .clip_by_global_norm(0.5_c)
                            .minimize(mean(losses::sigmoid_cross_entropy(logits, target)));
  session s(step, logits);
  s.initialize(2);
  auto batches = data::slices(data.x, data.t).shuffle(120, 0).batch(40);
  int steps = 0;
  for (int epoch = 0; epoch < 2; ++epoch)
    for (auto [x, t] : batches) {
      const double now = steps < 4 ? 0.1 * steps / 4 : 0.1 * std::pow(0.5, (steps - 4) / 4.0);
      s.run(step, in = x, target = t, rate = now);
      ++steps;
    }
  const xt::xtensor<float, 2> a = s.run(logits, in = data.x), b = m.predict(data.x);
  for (std::size_t i = 0; i < 120; ++i) CHECK(a(i, 0) == doctest::Approx(b(i, 0)).epsilon(1e-5));
}
TEST_CASE("OPT: a rate that is a variable, which a callback changes") {
  const points data;
  constexpr auto rate = variable<"rate">(full(shape<>{}, 0.5_c), not_trainable);
  model m(input<float, 2>, classifier, optimizers::sgd(rate), losses::sigmoid_cross_entropy);
  m.initialize(2);
  const auto kernel = [&] { return m.session().variables().at("dense/kernel").get<float>(); };
  std::vector<std::vector<float>> kernels = {kernel()};
  m.fit(data.x, data.t, {.epochs = 4}, [&](auto& of, const history& h) {
    kernels.push_back(kernel());
    of.session().set(rate, h.epochs() < 2 ? 0.25f : 0.0f);
  });
  CHECK(kernels[1] != kernels[0]);
  CHECK(kernels[2] != kernels[1]);
  CHECK(kernels[3] == kernels[2]);
  CHECK(kernels[4] == kernels[2]);
}
TEST_CASE("swap_averages: validation with the moving averages of the weights") {
  const points data;
  model m(input<float, 2>, classifier, optimizers::sgd(0.5_c).moving_average(0.9_c), losses::sigmoid_cross_entropy);
  m.initialize(2);
  auto check = data::slices(data.x, data.t).batch(120);
  std::vector<double> plain;
  const history h = m.fit(
      data.x, data.t, {.epochs = 3, .batch = 40}, [&](auto& of, const history&) { plain.push_back(of.evaluate(check)[0]); },
      swap_averages{}, check, swap_averages{});
  CHECK(h["val_loss"].back() != plain.back());
  CHECK(m.evaluate(check)[0] == plain.back());
  const auto kernel = m.session().variables().at("dense/kernel").get<float>();
  const auto average = m.session().variables().at("dense/kernel/sgd/average").get<float>();
  swap_averages{}.swap(m);
  CHECK(m.evaluate(check)[0] == h["val_loss"].back());
  CHECK(m.session().variables().at("dense/kernel").get<float>() == average);
  CHECK(m.session().variables().at("dense/kernel/sgd/average").get<float>() == kernel);
  model none(input<float, 2>, three, optimizers::sgd(0.5_c), losses::softmax_cross_entropy);
  CHECK_THROWS_WITH_AS(swap_averages{}.swap(none), "swap_averages: the optimizer keeps no moving averages", error);
}
TEST_CASE("swap_averages: before the optimizer's first step the weights stay") {
  const points data;
  model m(input<float, 2>, classifier, optimizers::adam(0.1_c).moving_average(0.9_c).accumulate(10_c),
          losses::sigmoid_cross_entropy);
  m.initialize(2);
  auto batches = data::slices(data.x, data.t).batch(40);  // 3 an epoch: the fourth has the first step
  const double raw = m.evaluate(batches)[0];
  const history h = m.fit(batches, {.epochs = 4}, swap_averages{}, batches, swap_averages{});
  for (std::size_t epoch = 0; epoch < 3; ++epoch) CHECK(h["val_loss"][epoch] == raw);
  // The first average is the variable itself.
  CHECK(h["val_loss"][3] != raw);
  CHECK(h["val_loss"][3] == m.evaluate(batches)[0]);
}
TEST_CASE("LOS: a model whose labels have no places") {
  model m(input<float, 6, 2>, sequential(layers::dense<5>), optimizers::adam(0.1_c), losses::ctc<3>);
  m.initialize(1);
  xt::xtensor<float, 3> x = xt::zeros<float>({8, 6, 2});
  xt::xtensor<std::int32_t, 2> t = xt::zeros<std::int32_t>({8, 3});
  for (std::size_t i = 0; i < 8; ++i) {
    // The first half of the steps says one label, the second another.
    for (std::size_t k = 0; k < 6; ++k) x(i, k, (k < 3) == (i % 2 == 0) ? 0 : 1) = 1;
    t(i, 0) = i % 2 == 0 ? 1 : 4;
    t(i, 1) = i % 2 == 0 ? 4 : 1;
  }
  const history h = m.fit(x, t, {.epochs = 60, .batch = 8});
  CHECK(h["loss"].front() > 1);
  CHECK(h["loss"].back() < 0.5);
  t(3, 2) = 5;
  CHECK_THROWS_WITH_AS(m.evaluate(x, t), "evaluate: the label of sample 3 of the epoch is 5, of 5 classes", error);
}
TEST_CASE("LOS: labels that are no classes are any numbers") {
  model m(input<float, 2>, three, optimizers::sgd(0.1_c), losses::circle());
  m.initialize(1);
  const xt::xtensor<float, 2> x = {{1, 0}, {0, 1}, {1, 1}};
  const xt::xtensor<std::int32_t, 1> t = {700, -3, 700}, of_classes = {1, 0, 1};
  CHECK(m.evaluate(x, t)[0] == m.evaluate(x, of_classes)[0]);
}
