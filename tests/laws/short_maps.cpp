// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>
#include "reference/run.hpp"

// Maps of a few vectors, which are written out in their caller, and products of one row of up to 16 registers, beside the reference and beside
// the same elements within a long array.

namespace {

using namespace etch;
using namespace etch::literals;

template <class T, int N>
constexpr placeholder<"a", T, N> a;
template <class T, int N>
constexpr placeholder<"b", T, N> b;

constexpr auto gated = [](auto x, auto y) {
  return sigmoid(x) * etch::tanh(y) + etch::exp(-square(x)) * etch::sqrt(etch::abs(y)) - etch::erf(x * y);
};
constexpr auto light = [](auto x, auto y) { return maximum(x - y, x * y) + x; };

template <class T>
T number(std::size_t i) {
  if constexpr (std::is_floating_point_v<T>) {
    if (i % 11 == 7) return std::numeric_limits<T>::quiet_NaN();
    if (i % 11 == 9) return std::numeric_limits<T>::infinity();
    if (i % 11 == 10) return T(-0.0);
  }
  return static_cast<T>(static_cast<int>(i * 7919 % 41) - 20) / static_cast<T>(std::is_floating_point_v<T> ? 8 : 1);
}
template <class T>
bool same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
  return x == y;
}

constexpr int longest = 200;

/// Elements of the first N are those of an array of 200, which is walked in loops.
template <class T, int N, class F>
int wrong_in_short(F f) {
  xt::xtensor<T, 1> x = xt::zeros<T>({std::size_t{N}}), y = x;
  xt::xtensor<T, 1> long_x = xt::zeros<T>({std::size_t{longest}}), long_y = long_x;
  for (std::size_t i = 0; i < longest; ++i) {
    long_x(i) = number<T>(i);
    long_y(i) = number<T>(3 * i + 1);
    if (i < N) {
      x(i) = long_x(i);
      y(i) = long_y(i);
    }
  }
  const auto e = f(a<T, N>, b<T, N>);
  const auto l = f(a<T, longest>, b<T, longest>);
  session s(e);
  session t(l);
  s.keep_denormals();
  t.keep_denormals();
  const auto got = s.run(e, a<T, N> = x, b<T, N> = y);
  const auto expected = t.run(l, a<T, longest> = long_x, b<T, longest> = long_y);
  int wrong = 0;
  for (std::size_t i = 0; i < N; ++i) wrong += same(got(i), expected(i)) ? 0 : 1;
  return wrong;
}
template <class T, class F, int... N>
int wrong_in_all(F f, std::integer_sequence<int, N...>) {
  return (0 + ... + wrong_in_short<T, N>(f));
}

template <class T, int K, int N>
void check_row() {
  constexpr placeholder<"x", T, 1, K> x;
  constexpr placeholder<"w", T, K, N> w;
  constexpr placeholder<"bias", T, N> bias;
  xt::xtensor<T, 2> vx = xt::zeros<T>({std::size_t{1}, std::size_t{K}}), vw = xt::zeros<T>({std::size_t{K}, std::size_t{N}});
  xt::xtensor<T, 1> vb = xt::zeros<T>({std::size_t{N}});
  // Small whole numbers, whose sums are exact in any order.
  for (std::size_t i = 0; i < vx.size(); ++i) vx.data()[i] = static_cast<T>(static_cast<int>(i * 7 % 9) - 4);
  for (std::size_t i = 0; i < vw.size(); ++i) vw.data()[i] = static_cast<T>(static_cast<int>(i * 31 % 17) - 8);
  for (std::size_t i = 0; i < vb.size(); ++i) vb.data()[i] = static_cast<T>(i % 5);
  constexpr auto y = relu(matmul(x, w) + bias);
  session s(y);
  CHECK(s.run(y, x = vx, w = vw, bias = vb) == reference::run(y, x = vx, w = vw, bias = vb));
}

}  // namespace

TEST_CASE("maps of a few vectors have the bits of the same elements in a long array") {
  CHECK(wrong_in_all<float>(gated, std::integer_sequence<int, 3, 8, 16, 17, 31, 32, 33>{}) == 0);
  CHECK(wrong_in_all<double>(gated, std::integer_sequence<int, 2, 4, 7, 8, 16>{}) == 0);
  CHECK(wrong_in_all<float>(light, std::integer_sequence<int, 4, 5, 20>{}) == 0);
  CHECK(wrong_in_all<std::int32_t>(light, std::integer_sequence<int, 21>{}) == 0);
  CHECK(wrong_in_all<std::uint8_t>(light, std::integer_sequence<int, 33>{}) == 0);
}

TEST_CASE("a variable of a few elements that is made of itself") {
  constexpr auto h = variable<"h">(full<float>(shape<8>{}, 0.5_c), not_trainable);
  constexpr auto c = variable<"c">(full<float>(shape<8>{}, 0.25_c), not_trainable);
  constexpr auto next = sigmoid(h) * c + etch::tanh(h);
  constexpr auto update = group(assign(c, next), assign(h, sigmoid(h) * etch::tanh(next)));
  session s(update);
  s.initialize();
  auto bound = s.bind(update);
  float x = 0.5f, y = 0.25f;
  for (int i = 0; i < 5; ++i) {
    bound();
    y = 1 / (1 + std::exp(-x)) * y + std::tanh(x);
    x = 1 / (1 + std::exp(-x)) * std::tanh(y);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(s.get(h)(i) == doctest::Approx(x).epsilon(1e-5));
    CHECK(s.get(c)(i) == doctest::Approx(y).epsilon(1e-5));
  }
}

TEST_CASE("products of one row of 8 to 16 registers, and beyond") {
  check_row<float, 33, 33>();
  check_row<float, 33, 65>();
  check_row<float, 64, 128>();
  check_row<float, 64, 255>();
  check_row<float, 64, 256>();
  check_row<float, 17, 257>();
  check_row<float, 256, 256>();
  check_row<double, 40, 17>();
  check_row<double, 31, 33>();
  check_row<double, 64, 128>();
}

TEST_CASE("threads share stacks of products of one row") {
  constexpr placeholder<"x", float, 80, 1, 64> x;
  constexpr placeholder<"w", float, 80, 64, 128> w;
  constexpr auto y = matmul(x, w);
  static_assert(!cpu::backend::expands<compiled<cpu::target, list_of<y.hash>, list_of<x.hash, w.hash>>>);
  xt::xtensor<float, 3> vx = xt::zeros<float>({80, 1, 64}), vw = xt::zeros<float>({80, 64, 128});
  for (std::size_t i = 0; i < vx.size(); ++i) vx.data()[i] = static_cast<float>(static_cast<int>(i * 7 % 9) - 4);
  for (std::size_t i = 0; i < vw.size(); ++i) vw.data()[i] = static_cast<float>(static_cast<int>(i * 31 % 17) - 8);
  const auto expected = reference::run(y, x = vx, w = vw);
  session s(y);
  CHECK(s.run(y, x = vx, w = vw) == expected);
  for (const int workers : {2, 3, 7}) {
    thread_pool pool(workers);
    s.set_executor(&pool);
    CHECK(s.run(y, x = vx, w = vw) == expected);
    s.set_executor(nullptr);
  }
}
