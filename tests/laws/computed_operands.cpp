// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <xtensor/xview.hpp>

#include <etch/print.hpp>

#include "../session/executors.hpp"
#include "plain_product.hpp"

/// Operands of products that are computed while they are packed: they need no step and no memory, and results are what plain loops over the
/// definition give. The numbers are small integers and halves, so that sums are exact in any order.
namespace {

using namespace etch;
using namespace etch::literals;
using laws::integers;

template <class T>
using array = xt::xtensor<T, 2>;

/// One of the values of a product.
template <class T>
struct operands {
  std::size_t m, k, n;
  array<std::uint8_t> bytes = integers<std::uint8_t, 2>({m, k}, 0, 9, 1);
  array<std::int8_t> weights = integers<std::int8_t, 2>({k, n}, -9, 9, 2);
  array<T> left = integers<T, 2>({m, k}, -9, 9, 3), right = integers<T, 2>({k, n}, -9, 9, 4),
           row = integers<T, 2>({k, 1}, -2, 2, 5);
  xt::xtensor<T, 1> column = integers<T, 1>({n}, -2, 2, 6);

  /// The sums of left(i, p) * right(p, j), and then behind(sum, j).
  template <class Left, class Right, class Behind>
  array<T> product(const Left& l, const Right& r, const Behind& behind) const {
    array<T> left_numbers = xt::zeros<T>({m, k}), right_numbers = xt::zeros<T>({k, n});
    for (std::size_t p = 0; p < k; ++p) {
      for (std::size_t i = 0; i < m; ++i) left_numbers(i, p) = static_cast<T>(l(i, p));
      for (std::size_t j = 0; j < n; ++j) right_numbers(p, j) = static_cast<T>(r(p, j));
    }
    array<T> c = laws::plain_product(left_numbers, right_numbers);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) c(i, j) = behind(c(i, j), j);
    return c;
  }
};

/// Where sums are not finite, NaN is as good as NaN.
template <class T, std::size_t Rank>
bool same(const xt::xtensor<T, Rank>& a, const xt::xtensor<T, Rank>& b) {
  if (a.shape() != b.shape()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a.data()[i] == b.data()[i] || (a.data()[i] != a.data()[i] && b.data()[i] != b.data()[i]))) return false;
  return true;
}

template <class T>
void check_all() {
  constexpr placeholder<"bytes", std::uint8_t, any<"m">, any<"k">> bytes;
  constexpr placeholder<"weights", std::int8_t, any<"k">, any<"n">> weights;
  constexpr placeholder<"left", T, any<"m">, any<"k">> left;
  constexpr placeholder<"right", T, any<"k">, any<"n">> right;
  constexpr placeholder<"row", T, any<"k">, 1> row;
  constexpr placeholder<"column", T, any<"n">> column;
  constexpr auto dequantised = astype<T>(weights) * column;
  constexpr auto by_right = relu(matmul(left, dequantised) + column);
  constexpr auto by_left = matmul(astype<T>(bytes) * 0.5_c - 1_c, right);
  constexpr auto by_both = matmul(relu(left - 2_c), (right + row) * column);
  constexpr auto cast_alone = matmul(astype<T>(bytes), astype<T>(weights));
  static_assert(plan_of(by_right, left, weights, column).kernel_count == 1);
  static_assert(plan_of(by_left, bytes, right).kernel_count == 1);
  static_assert(plan_of(by_both, left, right, row, column).kernel_count == 1);
  static_assert(plan_of(cast_alone, bytes, weights).kernel_count == 1);
  session s(by_right, by_left, by_both, cast_alone);
  for (const auto [m, k, n] : std::initializer_list<std::array<std::size_t, 3>>{{1, 1, 1},
                                                                                {0, 5, 3},
                                                                                {3, 0, 5},
                                                                                {5, 3, 0},
                                                                                {1, 700, 600},
                                                                                {2, 40, 1030},
                                                                                {3, 131, 601},
                                                                                {4, 201, 333},
                                                                                {7, 33, 17},
                                                                                {31, 100, 49},
                                                                                {33, 257, 530},
                                                                                {97, 2100, 50},
                                                                                {100, 70, 4},
                                                                                {800, 33, 1}}) {
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    const operands<T> v{m, k, n};
    const auto plain = [](T dot, std::size_t) { return dot; };
    const array<T> expected[] = {
        v.product(
            v.left, [&](std::size_t p, std::size_t j) { return static_cast<T>(v.weights(p, j)) * v.column(j); },
            [&](T dot, std::size_t j) { return std::max(dot + v.column(j), T(0)); }),
        v.product([&](std::size_t i, std::size_t p) { return static_cast<T>(v.bytes(i, p)) * T(0.5) - T(1); }, v.right, plain),
        v.product([&](std::size_t i, std::size_t p) { return std::max(v.left(i, p) - T(2), T(0)); },
                  [&](std::size_t p, std::size_t j) { return (v.right(p, j) + v.row(p, 0)) * v.column(j); }, plain),
        v.product(v.bytes, v.weights, plain)};
    const auto check = [&] {
      CHECK(same(s.run(by_right, left = v.left, weights = v.weights, column = v.column), expected[0]));
      CHECK(same(s.run(by_left, bytes = v.bytes, right = v.right), expected[1]));
      CHECK(same(s.run(by_both, left = v.left, right = v.right, row = v.row, column = v.column), expected[2]));
      CHECK(same(s.run(cast_alone, bytes = v.bytes, weights = v.weights), expected[3]));
    };
    check();
    executors::backwards threads(3);
    s.set_executor(&threads);
    check();
    s.set_executor(nullptr);
  }
}

}  // namespace

TEST_CASE("law: operands of products are computed while they are packed") {
  check_all<float>();
  check_all<double>();
}

TEST_CASE("law: NaN and infinities of computed operands stay in their rows and columns") {
  constexpr placeholder<"x", float, 70, 90> x;
  constexpr placeholder<"y", float, 90, 110> y;
  constexpr auto z = matmul(x * 2_c, y - 1_c);
  static_assert(plan_of(z, x, y).kernel_count == 1);
  operands<float> v{70, 90, 110};
  v.left(69, 89) = std::numeric_limits<float>::quiet_NaN();
  v.left(3, 0) = std::numeric_limits<float>::infinity();
  v.right(0, 109) = -std::numeric_limits<float>::infinity();
  session s(z);
  CHECK(same(s.run(z, x = v.left, y = v.right), v.product([&](std::size_t i, std::size_t p) { return 2 * v.left(i, p); },
                                                          [&](std::size_t p, std::size_t j) { return v.right(p, j) - 1; },
                                                          [](float dot, std::size_t) { return dot; })));
}

TEST_CASE("law: several matrices times one that is computed; views of what it is computed from") {
  constexpr placeholder<"x", float, 3, 20, 80> x;
  constexpr placeholder<"w", std::int8_t, 2, 80, 120> w;
  constexpr auto part = slice(w, section<1, 2>, section<>, section<10, 110>);
  constexpr auto z = etch::tanh(matmul(x, astype<float>(reshape(part, shape<80, 100>{})) * 0.5_c) * 0.001_c);
  constexpr auto transposed = matmul(x, astype<float>(transpose(reshape(w, shape<240, 80>{}))) + 1_c);
  static_assert(plan_of(z, x, w).kernel_count == 1);
  const auto vx = integers<float, 3>({3, 20, 80}, -9, 9, 1);
  const auto vw = integers<std::int8_t, 3>({2, 80, 120}, -9, 9, 2);
  session s(z, transposed);
  const auto [got, other] = s.run(z, transposed, x = vx, w = vw);
  int wrong = 0;
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < 100; ++j) {
        float dot = 0;
        for (std::size_t p = 0; p < 80; ++p) dot += vx(b, i, p) * 0.5f * static_cast<float>(vw(1, p, j + 10));
        wrong += std::abs(got(b, i, j) - std::tanh(dot * 0.001f)) < 1e-6f ? 0 : 1;
      }
      for (std::size_t j = 0; j < 240; ++j) {
        float dot = 0;
        for (std::size_t p = 0; p < 80; ++p) dot += vx(b, i, p) * (1 + static_cast<float>(vw.data()[j * 80 + p]));
        wrong += other(b, i, j) == dot ? 0 : 1;
      }
    }
  CHECK(wrong == 0);
}

TEST_CASE("what several steps need, or is fetched, drawn, costly or small, is computed in a step of its own") {
  constexpr placeholder<"x", float, 80, 80> x;
  constexpr placeholder<"y", float, 80, 80> y;
  constexpr placeholder<"small", float, 8, 8> small;
  constexpr auto twice = x * 2_c;
  static_assert(plan_of(matmul(twice, y), x, y).kernel_count == 1);
  static_assert(plan_of(matmul(twice, y), twice, x, y).kernel_count == 2);
  static_assert(plan_of(matmul(twice, y), matmul(y, twice), x, y).kernel_count == 3);
  static_assert(plan_of(matmul(twice, twice), x).kernel_count == 2);
  static_assert(plan_of(matmul(transpose(twice), y), x, y).kernel_count == 2);
  static_assert(plan_of(matmul(transpose(x) * 2_c, y), x, y).kernel_count == 2);
  static_assert(plan_of(matmul(etch::exp(etch::exp(x)), y), x, y).kernel_count == 2);
  static_assert(plan_of(matmul(small * 2_c, small), small).kernel_count == 2);
  static_assert(plan_of(matmul(x, softmax(y)), x, y).kernel_count == 2);
  session s(matmul(twice, y), matmul(transpose(x) * 2_c, y));
  const auto vx = integers<float, 2>({80, 80}, -9, 9, 1), vy = integers<float, 2>({80, 80}, -9, 9, 2);
  const auto [a, b] = s.run(matmul(twice, y), matmul(transpose(x) * 2_c, y), x = vx, y = vy);
  const operands<float> v{80, 80, 80};
  const auto plain = [](float dot, std::size_t) { return dot; };
  CHECK(same(a, v.product([&](std::size_t i, std::size_t p) { return 2 * vx(i, p); }, vy, plain)));
  CHECK(same(b, v.product([&](std::size_t i, std::size_t p) { return 2 * vx(p, i); }, vy, plain)));
}

TEST_CASE("a variable that an operand is computed from is not overwritten before all of the product is there") {
  constexpr placeholder<"x", float, 80, 80> x;
  constexpr auto w = variable<"w">(zeros<float>(shape<80, 80>{}));
  constexpr auto next = assign(w, matmul(w * 2_c, x) * 0.001_c);
  session s(next);
  const auto vx = integers<float, 2>({80, 80}, -9, 9, 1), vw = integers<float, 2>({80, 80}, -9, 9, 2);
  s.set(w, vw);
  s.run(next, x = vx);
  const operands<float> v{80, 80, 80};
  CHECK(same(s.get(w), v.product([&](std::size_t i, std::size_t p) { return 2 * vw(i, p); }, vx,
                                 [](float dot, std::size_t) { return dot * 0.001f; })));
}

TEST_CASE("the steps of a plan say what is computed for a product") {
  constexpr placeholder<"x", float, 80, 90> x;
  constexpr placeholder<"w", std::int8_t, 90, 100> w;
  CHECK(to_text(plan_of(relu(matmul(x, astype<float>(w) * 0.5_c)), x, w)) ==
        "0 contraction [80, 100 x 90] matmul maximum (second operand: cast multiply) : x w -> fetch0\n");
}
