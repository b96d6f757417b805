// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

#include "plain_product.hpp"

// Products of bytes and of bfloat16 whose extents are no whole numbers of the registers of AMX, 16 rows of 16 words, and cross the blocks of depth,
// beside loops; with epilogues, with partial sums, and shared by threads.

namespace {

using namespace etch;
using namespace etch::literals;

template <class T>
using matrix = xt::xtensor<T, 2>;

template <class T>
matrix<T> numbers(std::size_t rows, std::size_t columns, unsigned seed) {
  matrix<T> m = matrix<T>::from_shape({rows, columns});
  for (std::size_t i = 0; i < m.size(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    if constexpr (std::is_integral_v<T>)
      m.data()[i] = static_cast<T>(seed >> 20);
    else
      m.data()[i] = T(static_cast<float>(static_cast<int>(seed >> 27) - 16));  // sums of products stay exact in float
  }
  return m;
}

/// The product of the same numbers in T.
template <class T, class Left, class Right>
matrix<T> product_in(const matrix<Left>& left, const matrix<Right>& right) {
  return laws::plain_product(matrix<T>(xt::cast<T>(left)), matrix<T>(xt::cast<T>(right)));
}

struct extents {
  std::size_t m, n, k;
};
std::vector<extents> all_extents() {
  std::vector<extents> all;
  for (const std::size_t m : {9u, 16u, 17u, 33u, 48u, 100u})
    for (const std::size_t n : {5u, 16u, 31u, 33u, 70u})
      for (const std::size_t k : {1u, 7u, 64u, 65u, 130u}) all.push_back({m, n, k});
  all.insert(all.end(), {{97, 33, 1030}, {33, 65, 4200}, {40, 33, 9001}, {200, 64, 200}, {35, 600, 70}});
  return all;
}

template <class Left, class Right>
void check_bytes() {
  static constexpr placeholder<"a", Left, any<"m">, any<"k">> a;
  static constexpr placeholder<"b", Right, any<"k">, any<"n">> b;
  static constexpr placeholder<"bias", std::int32_t, any<"n">> bias;
  const auto product = matmul(astype<std::int32_t>(a), astype<std::int32_t>(b));
  const auto shifted = maximum(product + bias, 0_c);
  etch::session s(product, shifted);
  for (const auto& [m, n, k] : all_extents()) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const auto left = numbers<Left>(m, k, 1);
    const auto right = numbers<Right>(k, n, 2);
    xt::xtensor<std::int32_t, 1> some = xt::zeros<std::int32_t>({n});
    for (std::size_t j = 0; j < n; ++j) some(j) = static_cast<std::int32_t>(j * 1000) - 20'000;
    const auto totals = product_in<std::int32_t>(left, right);
    const auto got = s.run(product, a = left, b = right);
    const auto got_shifted = s.run(shifted, a = left, b = right, bias = some);
    int wrong = 0;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const std::int32_t total = totals(i, j);
        wrong += (got(i, j) != total) + (got_shifted(i, j) != std::max(total + some(j), 0));
      }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("products of bytes of all signs") {
  check_bytes<std::uint8_t, std::int8_t>();
  check_bytes<std::int8_t, std::uint8_t>();
  check_bytes<std::int8_t, std::int8_t>();
  check_bytes<std::uint8_t, std::uint8_t>();
}

TEST_CASE("products of bfloat16, with epilogues") {
  constexpr placeholder<"a", bfloat16, any<"m">, any<"k">> a;
  constexpr placeholder<"b", bfloat16, any<"k">, any<"n">> b;
  constexpr placeholder<"bias", float, any<"n">> bias;
  constexpr auto product = matmul(astype<float>(a), astype<float>(b));
  constexpr auto shifted = relu(product + bias);
  constexpr auto halved = astype<bfloat16>(product * 0.5_c);
  etch::session s(product, shifted, halved);
  for (const auto& [m, n, k] : all_extents()) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const auto left = numbers<bfloat16>(m, k, 3);
    const auto right = numbers<bfloat16>(k, n, 4);
    xt::xtensor<float, 1> some = xt::zeros<float>({n});
    for (std::size_t j = 0; j < n; ++j) some(j) = static_cast<float>(j) * 10 - 100;
    const auto totals = product_in<float>(left, right);
    const auto got = s.run(product, a = left, b = right);
    const auto got_shifted = s.run(shifted, a = left, b = right, bias = some);
    const auto got_rounded = s.run(halved, a = left, b = right);
    int wrong = 0;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const float total = totals(i, j);
        wrong += (got(i, j) != total) + (got_shifted(i, j) != std::max(total + some(j), 0.f));
        wrong += static_cast<float>(got_rounded(i, j)) != static_cast<float>(bfloat16(total * 0.5f));
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("NaN stays in its row and column, and what lies behind operands is not read") {
  constexpr placeholder<"a", bfloat16, 33, 37> a;
  constexpr placeholder<"b", bfloat16, 37, 40> b;
  constexpr auto product = matmul(astype<float>(a), astype<float>(b));
  etch::session s(product);
  auto left = numbers<bfloat16>(33, 37, 5), right = numbers<bfloat16>(37, 40, 6);
  left(20, 36) = bfloat16(std::numeric_limits<float>::quiet_NaN());
  right(3, 39) = bfloat16(std::numeric_limits<float>::infinity());
  const auto got = s.run(product, a = left, b = right);
  for (std::size_t i = 0; i < 33; ++i)
    for (std::size_t j = 0; j < 40; ++j) CHECK(std::isfinite(got(i, j)) == (i != 20 && j != 39));
}

TEST_CASE("any number of threads gives the same bits") {
  constexpr placeholder<"a", bfloat16, any<"m">, any<"k">> a;
  constexpr placeholder<"b", bfloat16, any<"k">, any<"n">> b;
  constexpr auto product = matmul(astype<float>(a), astype<float>(b));
  const auto fill = [](matrix<bfloat16>& m, unsigned seed) {
    for (std::size_t i = 0; i < m.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      m.data()[i] = bfloat16(static_cast<float>(seed >> 8) * 0x1p-24f - 0.5f);
    }
  };
  for (const auto& [m, n, k] : {extents{333, 130, 500}, extents{130, 515, 77}, extents{1000, 33, 4500}}) {
    matrix<bfloat16> left = matrix<bfloat16>::from_shape({m, k}), right = matrix<bfloat16>::from_shape({k, n});
    fill(left, 7);
    fill(right, 8);
    etch::session alone(product);
    const auto expected = alone.run(product, a = left, b = right);
    for (const int workers : {2, 3, 7}) {
      thread_pool pool(workers);
      etch::session shared(product);
      shared.set_executor(&pool);
      const auto got = shared.run(product, a = left, b = right);
      CHECK(std::memcmp(got.data(), expected.data(), expected.size() * sizeof(float)) == 0);
    }
  }
}
