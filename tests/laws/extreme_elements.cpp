// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <etch/etch.hpp>

/// "max and min find one element wherever it lies": NaN among numbers, 0 among -0, -0 among 0, a number among infinities, at each place of a
/// row in turn, along rows, across them and along short rows, of elements that are read and of elements that are computed first.
namespace {

template <class T>
struct element {
  T other, one;
};

template <class T>
bool is_same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T, class Results>
int wrong(const Results& results, const element<T>& e) {
  int count = 0;
  for (const T r : results) count += is_same(r, e.one) ? 0 : 1;
  return count;
}

/// Rows with one such element each, at other places: row i has it at i modulo their length.
template <class T>
xt::xtensor<T, 2> rows_of(const element<T>& e, std::size_t rows, std::size_t length) {
  xt::xtensor<T, 2> x = xt::ones<T>({rows, length}) * e.other;
  for (std::size_t i = 0; i < rows; ++i) x(i, i % length) = e.one;
  return x;
}

template <class T, class Rows>
void check(Rows rows, std::size_t count, std::size_t length) {
  const auto columns = etch::transpose(rows);
  const auto computed = etch::cbrt(rows);
  const auto most = etch::max(rows, etch::axis<1>);
  const auto least = etch::min(rows, etch::axis<1>);
  const auto most_across = etch::max(columns, etch::axis<0>);
  const auto least_across = etch::min(columns, etch::axis<0>);
  const auto most_of_computed = etch::max(computed, etch::axis<1>);
  const auto least_of_computed = etch::min(computed, etch::axis<1>);
  etch::session s(most, least, most_across, least_across, most_of_computed, least_of_computed);
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  CAPTURE(length);
  for (const auto& [other, one] : {std::pair<T, T>{1, nan}, {-1, nan}, {inf, nan}, {T(-0.), 0}, {-1, 0}, {-inf, -1}, {-1, inf}}) {
    CAPTURE(other);
    CAPTURE(one);
    const element<T> e{other, one}, opposite{-other, -one};
    const auto of = rows_of(e, count, length), negative = rows_of(opposite, count, length);
    const auto [a, b, c] = s.run(most, most_across, most_of_computed, rows = of);
    const auto [d, f, g] = s.run(least, least_across, least_of_computed, rows = negative);
    CHECK(wrong(a, e) == 0);
    CHECK(wrong(b, e) == 0);
    CHECK(wrong(c, e) == 0);
    CHECK(wrong(d, opposite) == 0);
    CHECK(wrong(f, opposite) == 0);
    CHECK(wrong(g, opposite) == 0);
  }
}

template <class T>
void check_all() {
  for (const std::size_t n : {1u, 2u, 31u, 64u, 300u}) check<T>(etch::placeholder<"x", T, etch::any<"m">, etch::any<"n">>{}, n, n);
  check<T>(etch::placeholder<"x", T, 300, 7>{}, 300, 7);
  check<T>(etch::placeholder<"x", T, 300, 16>{}, 300, 16);
}

}  // namespace

TEST_CASE("extremes at each place of float") { check_all<float>(); }
TEST_CASE("extremes at each place of double") { check_all<double>(); }
