// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <etch/data.hpp>
#include <etch/data/generator.hpp>
#include <etch/etch.hpp>
#include <etch/model.hpp>

/// Batches of one dataset that have other extents than those before them.
namespace {

using namespace etch;
using namespace etch::literals;

template <std::size_t Rank>
using batch = std::tuple<xt::xtensor<float, Rank>, xt::xtensor<float, 2>>;

template <class Batch>
auto dataset_of(std::vector<Batch> batches) {
  return data::generator([batches] {
    return [batches, n = std::size_t{0}]() mutable -> std::optional<Batch> {
      if (n == batches.size()) return std::nullopt;
      return batches[n++];
    };
  });
}
batch<2> of_rows(std::size_t rows, std::size_t features, std::size_t targets) {
  return {xt::ones<float>({rows, features}), xt::ones<float>({targets, std::size_t{1}})};
}
/// The message of what f throws, or "".
template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("batches of as many rows and other steps: evaluate is the mean of the batches by themselves") {
  model m(input<float, any<"steps">, 2>, sequential(layers::dense<1>, layers::global_average_pool), optimizers::sgd(0.1_c),
          losses::mean_squared_error);
  m.initialize(1);
  std::vector<batch<3>> batches;
  double expected = 0;
  for (const std::size_t steps : {std::size_t{500}, std::size_t{1}, std::size_t{700}, std::size_t{700}}) {
    xt::xtensor<float, 3> x = xt::zeros<float>({std::size_t{2}, steps, std::size_t{2}});
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 7) - static_cast<float>(batches.size());
    batches.emplace_back(x, xt::xtensor<float, 2>(xt::ones<float>({2, 1})));
    expected += m.test_on_batch(x, std::get<1>(batches.back()))[0] / 4;
  }
  CHECK(m.evaluate(dataset_of(batches))[0] == doctest::Approx(expected).epsilon(1e-6));
}
TEST_CASE("a batch of another shape than the input's, or of fewer targets, is refused behind others, too") {
  model m(input<float, 4>, sequential(layers::dense<1>), optimizers::sgd(0.1_c), losses::mean_squared_error);
  const auto right = of_rows(2, 4, 2);
  const auto behind_right = [&](const batch<2>& other) {
    auto batches = dataset_of(std::vector<batch<2>>{right, other, right});
    return message_of([&] { m.evaluate(batches); });
  };
  CHECK(behind_right(right) == "");
  CHECK(behind_right(of_rows(3, 4, 3)) == "");
  CHECK(behind_right(of_rows(0, 4, 0)) == "evaluate: batch 1 of the epoch is empty");
  CHECK(behind_right(of_rows(2, 3, 2)) == "feed \"input\": axis 1: expected extent 4, got 3");
  CHECK(behind_right(of_rows(2, 4, 1)) ==
        "feed \"target\": axis 0 (\"batch\"): expected extent 2, which feed \"input\" has given it, got 1");
}
