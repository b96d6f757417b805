// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include <etch/etch.hpp>
#include <etch/model.hpp>

/// `predict` over arrays and datasets, in batches.
namespace {

using namespace etch;
using namespace etch::literals;

/// x * 3 - 1, of integers that float32 holds.
struct line {
  template <class X, class Mode>
  constexpr auto operator()(X x, Mode) const {
    return x * variable<"three">(full<float>(shape<>{}, 3_c)) - 1_c;
  }
};
/// Of sequences of any length: of each step a row.
struct steps {
  template <class X, class Mode>
  constexpr auto operator()(X x, Mode mode) const {
    return line{}(x, mode);
  }
};
struct average {
  template <class X, class Mode>
  constexpr auto operator()(X x, Mode mode) const {
    return mean(line{}(x, mode));
  }
};

xt::xtensor<float, 2> numbers(std::size_t rows) {
  xt::xtensor<float, 2> x = xt::zeros<float>({rows, std::size_t{2}});
  std::iota(x.begin(), x.end(), 0.0f);
  return x;
}
void check_rows(const xt::xtensor<float, 2>& x, const xt::xtensor<float, 2>& y) {
  REQUIRE(y.shape() == x.shape());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y.data()[i] == 3 * x.data()[i] - 1);
}

}  // namespace

TEST_CASE("KER-11: predict of an array, in batches of all sizes") {
  model m(input<float, 2>, line{}, optimizers::sgd(0.1_c), losses::mean_squared_error);
  for (const std::size_t rows : {1u, 31u, 32u, 33u, 100u}) {
    const auto x = numbers(rows);
    check_rows(x, m.predict(x));
    for (const std::int64_t batch : {1, 7, 32, 33, 1000}) check_rows(x, m.predict(x, batch));
  }
  const xt::xtensor<float, 2> none = m.predict(numbers(0));
  CHECK(none.shape()[0] == 0);
}
TEST_CASE("KER-11: predict of a dataset, of inputs alone and beside targets") {
  model m(input<float, 2>, line{}, optimizers::sgd(0.1_c), losses::mean_squared_error);
  const auto x = numbers(50);
  auto alone = data::slices(x).batch(8);
  for (int round = 0; round < 2; ++round) check_rows(x, m.predict(alone));
  check_rows(x, m.predict(data::slices(x, x).batch(8)));
  check_rows(x, m.predict(data::slices(x, x).batch(8).prefetch(2)));
  std::string message;
  try {
    m.predict(data::slices(x).take(0).batch(8));
  } catch (const error& e) {
    message = e.what();
  }
  CHECK(message == "predict: the dataset has no elements");
}
TEST_CASE("predict of sequences whose lengths differ is refused, of equal lengths it is not") {
  model m(input<float, any<"length">>, steps{}, optimizers::sgd(0.1_c), losses::mean_squared_error);
  const auto x = numbers(40);
  check_rows(x, m.predict(x, 9));
  const xt::xtensor<float, 2> longer = xt::zeros<float>({3, 5});
  auto both = data::slices(x).batch(20).concatenate(data::slices(longer).batch(3));
  std::string message;
  try {
    m.predict(both);
  } catch (const error& e) {
    message = e.what();
  }
  CHECK(message == "predict: samples from 40 on give arrays of shape [5], those before of [2]");
}
TEST_CASE("predict of a network that gives one number for the whole batch computes it at once") {
  model m(input<float, 2>, average{}, optimizers::sgd(0.1_c), losses::mean_squared_error);
  const float mean = m.predict(numbers(50));
  CHECK(mean == doctest::Approx(3 * 49.5 - 1));
}
TEST_CASE("predict of arrays that do not lie row by row, of few samples and of many") {
  model m(input<float, 2>, line{}, optimizers::sgd(0.1_c), losses::mean_squared_error);
  for (const std::size_t rows : {2u, 32u, 33u, 100u}) {
    const auto x = numbers(rows);
    const xt::xtensor<float, 2, xt::layout_type::column_major> columns = x;
    check_rows(x, m.predict(columns));
    check_rows(x, m.predict(columns, 7));
  }
}
