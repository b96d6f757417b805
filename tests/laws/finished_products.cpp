// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <etch/print.hpp>

#include "../session/executors.hpp"
#include "plain_product.hpp"

/// Products to which something is added and of which what is below 0 is cut off, as layers do: tiles do that before they store. Results are
/// those of plain loops over the definition. The numbers are small integers, so that sums are exact in any order.
namespace {

using namespace etch;
using namespace etch::literals;
using laws::integers;

template <class T>
using array = xt::xtensor<T, 2>;

/// Some of them become what is special.
template <class T, std::size_t Rank>
void make_special(xt::xtensor<T, Rank>& x) {
  constexpr T special[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                           -std::numeric_limits<T>::infinity(), T(-0.0)};
  for (std::size_t i = 0; i < x.size(); i += 7) x.data()[i] = special[i / 7 % 4];
}

/// Equal, in their signs also where they are 0; NaN is as good as NaN.
template <class T>
bool same(const array<T>& a, const array<T>& b) {
  if (a.shape() != b.shape()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T x = a.data()[i], y = b.data()[i];
    if (std::isnan(x) ? !std::isnan(y) : x != y || std::signbit(x) != std::signbit(y)) return false;
  }
  return true;
}

/// `maximum(x, 0)` says: x where that is larger or NaN, else 0.
template <class T>
T cut(T x) {
  return x > 0 || std::isnan(x) ? x : T(0);
}

template <class T>
void check_all(bool has_special) {
  constexpr placeholder<"left", T, any<"m">, any<"k">> left;
  constexpr placeholder<"right", T, any<"k">, any<"n">> right;
  constexpr placeholder<"column", T, any<"n">> column;
  constexpr placeholder<"whole", T, any<"m">, any<"n">> whole;
  constexpr placeholder<"turned", T, any<"n">, any<"m">> turned;
  constexpr placeholder<"row", T, any<"m">, 1> row;
  constexpr auto p = matmul(left, right);
  // What tiles do: each is one step.
  constexpr auto cut_off = relu(p);
  constexpr auto biased = p + column;
  constexpr auto layer = relu(column + p);
  constexpr auto residual = relu(p + whole);
  // What they leave to epilogues: another order of steps or of elements.
  constexpr auto cut_before = relu(p) + column;
  constexpr auto across = relu(p + transpose(turned));
  constexpr auto by_row = relu(p + row);
  constexpr auto subtracted = relu(p - column);
  constexpr auto of_one = maximum(p + column, 1_c);
  static_assert(plan_of(layer, left, right, column).kernel_count == 1);
  static_assert(plan_of(residual, left, right, whole).kernel_count == 1);
  session s(cut_off, biased, layer, residual, cut_before, across, by_row, subtracted, of_one);

  struct extents {
    std::size_t m, k, n;
  };
  for (const extents e : {extents{1, 3, 5},
                          {2, 0, 16},
                          {5, 7, 16},
                          {6, 25, 32},
                          {7, 600, 24},
                          {13, 1300, 40},
                          {64, 64, 64},
                          {50, 784, 100},
                          {130, 20, 17},
                          {3, 9, 8},
                          {37, 300, 48},
                          {1, 300, 200},
                          {70, 5, 3},
                          {0, 4, 8},
                          {4, 4, 0}}) {
    CAPTURE(e.m);
    CAPTURE(e.k);
    CAPTURE(e.n);
    const array<T> l = integers<T, 2>({e.m, e.k}, -9, 9, 1), r = integers<T, 2>({e.k, e.n}, -9, 9, 2);
    array<T> w = integers<T, 2>({e.m, e.n}, -9, 9, 3), t = integers<T, 2>({e.n, e.m}, -9, 9, 4),
             o = integers<T, 2>({e.m, 1}, -9, 9, 5);
    xt::xtensor<T, 1> c = integers<T, 1>({e.n}, -9, 9, 6);
    if (has_special) {
      make_special(w);
      make_special(c);
    }
    const array<T> product = laws::plain_product(l, r);
    const auto expected = [&](auto f) {
      array<T> made = product;
      for (std::size_t i = 0; i < e.m; ++i)
        for (std::size_t j = 0; j < e.n; ++j) made(i, j) = f(product(i, j), i, j);
      return made;
    };
    CHECK(same(s.run(cut_off, left = l, right = r), expected([&](T x, auto...) { return cut(x); })));
    CHECK(same(s.run(biased, left = l, right = r, column = c), expected([&](T x, auto, auto j) { return x + c(j); })));
    CHECK(same(s.run(layer, left = l, right = r, column = c), expected([&](T x, auto, auto j) { return cut(x + c(j)); })));
    CHECK(same(s.run(residual, left = l, right = r, whole = w), expected([&](T x, auto i, auto j) { return cut(x + w(i, j)); })));
    CHECK(same(s.run(cut_before, left = l, right = r, column = c), expected([&](T x, auto, auto j) { return cut(x) + c(j); })));
    CHECK(same(s.run(across, left = l, right = r, turned = t), expected([&](T x, auto i, auto j) { return cut(x + t(j, i)); })));
    CHECK(same(s.run(by_row, left = l, right = r, row = o), expected([&](T x, auto i, auto) { return cut(x + o(i, 0)); })));
    CHECK(same(s.run(subtracted, left = l, right = r, column = c), expected([&](T x, auto, auto j) { return cut(x - c(j)); })));
    CHECK(same(s.run(of_one, left = l, right = r, column = c),
               expected([&](T x, auto, auto j) { return x + c(j) > 1 || std::isnan(x + c(j)) ? x + c(j) : T(1); })));
  }
}

}  // namespace

TEST_CASE("products that are added to and cut off are what loops give") {
  SUBCASE("float") { check_all<float>(false); }
  SUBCASE("double") { check_all<double>(false); }
  SUBCASE("float, with NaN, infinities and -0") { check_all<float>(true); }
}

TEST_CASE("what is added to a product does not end at a register: nothing beyond it is read") {
  // Rows that are as long as their memory, so that a sanitizer sees what is read behind them.
  constexpr placeholder<"l", float, 12, 30> l;
  constexpr placeholder<"r", float, 30, 21> r;
  constexpr placeholder<"c", float, 21> c;
  const array<float> left = integers<float, 2>({12, 30}, -9, 9, 1), right = integers<float, 2>({30, 21}, -9, 9, 2);
  const xt::xtensor<float, 1> column = integers<float, 1>({21}, -9, 9, 3);
  session s(relu(matmul(l, r) + c));
  array<float> expected = laws::plain_product(left, right);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 21; ++j) expected(i, j) = cut(expected(i, j) + column(j));
  CHECK(same(array<float>(s.run(relu(matmul(l, r) + c), l = left, r = right, c = column)), expected));
}

TEST_CASE("products that tiles finish have the same bits on any number of threads") {
  constexpr placeholder<"l", float, 300, 200> l;
  constexpr placeholder<"r", float, 200, 160> r;
  constexpr placeholder<"c", float, 160> c;
  xt::xtensor<float, 2> left = integers<float, 2>({300, 200}, -9, 9, 1), right = integers<float, 2>({200, 160}, -9, 9, 2);
  for (float& v : left) v *= 0.37f;
  const xt::xtensor<float, 1> column = integers<float, 1>({160}, -9, 9, 3);
  constexpr auto y = relu(matmul(l, r) + c);
  session alone(y);
  const array<float> expected = alone.run(y, l = left, r = right, c = column);
  for (const int count : {2, 3, 7}) {
    executors::backwards threads(count);
    session s(y);
    s.set_executor(&threads);
    CHECK(same(array<float>(s.run(y, l = left, r = right, c = column)), expected));
  }
}
