// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include <xtensor/xview.hpp>

#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/model.hpp>

/// `train_on_batch` and `test_on_batch`: what they take, and what they leave as it is.
namespace {

using namespace etch;
using namespace etch::literals;

}  // namespace

TEST_CASE("the labels of a part of an array are those that are checked") {
  model m(input<float, 4>, sequential(layers::dense<3>), optimizers::sgd(0.1_c), losses::sparse_softmax_cross_entropy);
  const xt::xtensor<float, 2> x = xt::ones<float>({2, 4});
  const xt::xtensor<std::int32_t, 1> labels = {0, 1, 7, 2};
  CHECK_THROWS_WITH_AS(m.train_on_batch(x, xt::view(labels, xt::range(1, 3))),
                       "train_on_batch: the label of sample 1 of the epoch is 7, of 3 classes", error);
  CHECK_THROWS_WITH_AS(m.test_on_batch(x, xt::view(labels, xt::range(0, 4, 2))),
                       "test_on_batch: the label of sample 1 of the epoch is 7, of 3 classes", error);
  const xt::xtensor<std::int32_t, 1> seen = {1, 2};
  CHECK(m.test_on_batch(x, xt::view(labels, xt::range(1, 4, 2))) == m.test_on_batch(x, seen));
  CHECK(m.test_on_batch(x, tensor(seen)) == m.test_on_batch(x, seen));
  CHECK_THROWS_WITH_AS(m.test_on_batch(x, tensor(xt::xtensor<std::int32_t, 1>{0, 3})),
                       "test_on_batch: the label of sample 1 of the epoch is 3, of 3 classes", error);
}
TEST_CASE("a layer called metrics keeps its variables, and the optimizer its state of them") {
  model m(input<float, 4>, sequential(layers::named<"metrics">(sequential(layers::named<"loss">(layers::dense<3>)))),
          optimizers::adam(0.1_c), losses::mean_squared_error, metrics::mean_absolute_error);
  m.initialize(1);
  const xt::xtensor<float, 2> x = xt::ones<float>({2, 4}), y = xt::ones<float>({2, 3});
  m.train_on_batch(x, y);
  std::vector<std::vector<float>> before;
  const auto each_of_float = [&](auto f) {
    for (auto v : m.session().variables())
      if (v.type() == dtype::float32) f(v.template get<float>());
  };
  each_of_float([&](const std::vector<float>& values) { before.push_back(values); });
  const auto first = m.test_on_batch(x, y);
  CHECK(m.test_on_batch(x, y) == first);
  std::size_t n = 0;
  each_of_float([&](const std::vector<float>& values) { CHECK(values == before[n++]); });
  CHECK(n >= 6);
  CHECK(m.variables()[0].name() == std::string("metrics/loss/kernel"));
}
TEST_CASE("a batch without samples is refused") {
  model m(input<float, 4>, sequential(layers::batch_norm, layers::dense<1>), optimizers::sgd(0.1_c), losses::mean_squared_error);
  const xt::xtensor<float, 2> x = xt::zeros<float>({0, 4}), y = xt::zeros<float>({0, 1});
  CHECK_THROWS_WITH_AS(m.train_on_batch(x, y), "train_on_batch: the batch is empty", error);
  CHECK_THROWS_WITH_AS(m.test_on_batch(x, y), "test_on_batch: the batch is empty", error);
  for (auto v : m.variables())
    for (const float value : v.get<float>()) CHECK(std::isfinite(value));
}
TEST_CASE("a layer frozen in a function is left as it is by stop_gradient") {
  constexpr auto kept = [](auto in, auto h, auto mode) {
    return stop_gradient(layers::frozen(layers::named<in / "kept">(layers::dense<3>))(h, mode));
  };
  model m(input<float, 4>, sequential(kept, layers::dense<3>), optimizers::sgd(0.1_c), losses::mean_squared_error);
  m.initialize(1);
  std::vector<std::vector<float>> before;
  for (auto v : m.variables()) before.push_back(v.get<float>());
  const xt::xtensor<float, 2> x = xt::ones<float>({2, 4}), y = xt::ones<float>({2, 3});
  m.train_on_batch(x, y);
  REQUIRE(before.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK((m.variables()[i].get<float>() == before[i]) == (i < 2));
}
