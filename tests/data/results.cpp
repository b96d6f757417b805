// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include <xtensor/xmanipulation.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>

#include <etch/data.hpp>
#include <etch/data/generator.hpp>
#include <etch/thread_pool.hpp>

namespace {

using namespace etch;

const xt::xtensor<float, 2> m = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}};

/// The elements of a dataset of arrays are those of expected(0), expected(1) and so on.
template <class Dataset, class Expected>
void check(Dataset d, const Expected& expected) {
  std::int64_t i = 0;
  for (const auto& x : d) {
    const auto right = xt::eval(expected(i++));
    CHECK(x.shape() == right.shape());
    CHECK(std::ranges::equal(x, right));
  }
  CHECK(i == 3);
}

}  // namespace

TEST_CASE("arrays that a map returns have their values, wherever they lie") {
  thread_pool pool(2);
  const auto check_each = [&](const auto& f) {
    const auto expected = [&](std::int64_t i) {
      xt::xtensor<float, std::tuple_size_v<typename std::invoke_result_t<decltype(f), std::int64_t>::shape_type>> values = f(i);
      return values;
    };
    check(data::range(3).map(f), expected);
    check(data::range(3).map(f, pool), expected);
    check(data::range(3).filter([](std::int64_t) { return true; }).map(f, pool), expected);
    check(data::generator(
              [&f] { return [&f, i = std::int64_t{0}]() mutable { return i < 3 ? std::optional(f(i++)) : std::nullopt; }; }),
          expected);
  };
  check_each([](std::int64_t i) { return xt::view(m, i); });
  check_each([](std::int64_t i) { return xt::view(m, xt::all(), i); });
  check_each([](std::int64_t i) { return xt::view(m, xt::range(0, i), xt::range(1, 3)); });
  check_each([](std::int64_t) { return xt::transpose(m); });
  check_each([](std::int64_t i) { return xt::xtensor<float, 2, xt::layout_type::column_major>(m + static_cast<float>(i)); });
  check_each([](std::int64_t i) { return xt::xtensor<float, 2, xt::layout_type::dynamic>(m + static_cast<float>(i)); });
  check_each([](std::int64_t i) { return xt::xtensor<float, 2>(m + static_cast<float>(i)); });
}
TEST_CASE("views among several components") {
  const auto f = [](std::int64_t i) { return std::tuple(xt::view(m, i), i, xt::transpose(m)); };
  std::int64_t i = 0;
  for (auto [row, number, columns] : data::range(3).map(f)) {
    CHECK(row == xt::view(m, i));
    CHECK(columns == xt::transpose(m));
    CHECK(number == i++);
  }
  for (auto [row, number] : data::range(1).map([](std::int64_t k) { return std::pair(xt::view(m, 2 - k), k); }))
    CHECK(row == xt::view(m, 2 - number));
  i = 0;
  for (float value : data::range(3).map([](std::int64_t k) { return xt::view(m, k, 1); })) CHECK(value == m(i++, 1));
}
