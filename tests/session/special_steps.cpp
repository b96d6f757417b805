// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

// What passes and kernels take for special, in one plan: rows of a variable that change where they lie, a transposed elementwise value, a row
// that is repeated over short rows, a product, and draws; in both orders of the fetches, beside loops by hand.

namespace {

using namespace etch;
using namespace etch::literals;

constexpr std::size_t rows = 500, width = 3, count = 7, outputs = 5;
constexpr placeholder<"ids", std::int32_t, 7> ids;
constexpr placeholder<"u", float, 7, 3> u;
constexpr placeholder<"w", float, 3, 5> w;
constexpr placeholder<"row", float, 3> row;
constexpr auto table = variable<"table">(zeros<float>(shape<500, 3>{}));

constexpr auto loss = sum(gather(table, ids, axis<0>) * u);
constexpr auto descent = optimizers::sgd(0.5_c).minimize(loss);
constexpr auto turned = transpose(etch::abs(table * row) + 1_c);
constexpr auto product = matmul(table * row, w);
constexpr auto draw = random_normal<"draw">(shape<500, 3>{});
constexpr auto noisy = transpose(table + draw * row);

using matrix = xt::xtensor<float, 2>;
matrix numbers(std::size_t first, std::size_t second, float from) {
  matrix m = xt::zeros<float>({first, second});
  for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] = from + 0.25f * static_cast<float>(i % 13);
  return m;
}
const xt::xtensor<std::int32_t, 1> some_ids = {4, 7, 4, 0, 499, 4, 20};
const xt::xtensor<float, 1> some_row = {1, -2, 0.5f};
const matrix start = numbers(rows, width, -1), updates = numbers(count, width, -2), weights = numbers(width, outputs, -0.5f);

/// Of the table before the step.
void check_values(const matrix& t, const matrix& got_turned, const matrix& got_product) {
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < width; ++j) wrong += got_turned(j, i) == std::abs(t(i, j) * some_row(j)) + 1 ? 0 : 1;
    for (std::size_t k = 0; k < outputs; ++k) {
      float expected = 0;
      for (std::size_t j = 0; j < width; ++j) expected += t(i, j) * some_row(j) * weights(j, k);
      wrong += std::abs(got_product(i, k) - expected) <= 1e-4f ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}
matrix stepped(matrix t) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < width; ++j) t(static_cast<std::size_t>(some_ids(i)), j) -= 0.5f * updates(i, j);
  return t;
}
void check_noisy(const matrix& t, const matrix& drawn, const matrix& got) {
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < width; ++j) wrong += std::abs(got(j, i) - (t(i, j) + drawn(i, j) * some_row(j))) <= 1e-5f ? 0 : 1;
  CHECK(wrong == 0);
}

/// Each order three times, one step after the other, with and without threads.
template <class Session, class Run>
void check_steps(Session& s, const Run& run) {
  s.initialize();
  s.set(table, start);
  thread_pool pool(3);
  matrix expected = start;
  for (int i = 0; i < 3; ++i) {
    if (i == 2) s.set_executor(&pool);
    run(s, expected);
    expected = stepped(expected);
    const matrix now = s.get(table);
    CHECK(std::equal(now.begin(), now.end(), expected.begin()));
  }
}

}  // namespace

TEST_CASE("special steps of one plan keep their values, fetched before the step") {
  etch::session s(turned, noisy, draw, product, descent);
  check_steps(s, [](auto& of, const matrix& t) {
    const auto [got_turned, got_noisy, drawn, got_product] =
        of.run(turned, noisy, draw, product, descent, ids = some_ids, u = updates, row = some_row, w = weights);
    check_values(t, got_turned, got_product);
    check_noisy(t, drawn, got_noisy);
  });
}

TEST_CASE("special steps of one plan keep their values, fetched behind the step") {
  etch::session s(descent, product, draw, noisy, turned);
  check_steps(s, [](auto& of, const matrix& t) {
    const auto [got_product, drawn, got_noisy, got_turned] =
        of.run(descent, product, draw, noisy, turned, ids = some_ids, u = updates, row = some_row, w = weights);
    check_values(t, got_turned, got_product);
    check_noisy(t, drawn, got_noisy);
  });
}

TEST_CASE("an eager tensor has what the plan has") {
  const tensor<float, 2> t(start), by(weights);
  const tensor<float, 1> r(some_row);
  const tensor<float, 2> got_turned = transpose(etch::abs(t * r) + 1.f), got_product = matmul(t * r, by);
  check_values(start, got_turned.array(), got_product.array());
}
