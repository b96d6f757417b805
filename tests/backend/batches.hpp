// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <etch/backend/cpu/simd.hpp>
#include <etch/base/scalar_math.hpp>

/// Functions of batches at many numbers, against scalars of twice the precision. Bounds are in units of the last place of
/// the exact result; that of a subnormal result is the smallest subnormal number.
namespace batches {

namespace cpu = etch::cpu;
namespace math = etch::math;
using cpu::batch;
using cpu::lanes;

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

template <class T>
struct wider {
  using type = double;
};
template <>
struct wider<double> {
  using type = long double;
};
template <class T>
using wide = typename wider<T>::type;

template <class T>
using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
word<T> bits(T x) {
  word<T> b;
  std::memcpy(&b, &x, sizeof x);
  return b;
}
template <class T>
T from_bits(word<T> b) {
  T x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

/// Distance of a result from the exact one in ulps; infinite where one is NaN, or infinite by more than rounding.
template <class T>
double distance(T result, wide<T> exact) {
  constexpr double far = std::numeric_limits<double>::infinity();
  if (std::isnan(result) || std::isnan(exact)) return std::isnan(result) && std::isnan(exact) ? 0 : far;
  const T rounded = static_cast<T>(exact);
  if (std::isinf(rounded) || std::isinf(result)) {
    if (rounded == result) return 0;
    constexpr T largest = std::numeric_limits<T>::max();
    return std::fabs(result) >= largest && std::fabs(rounded) >= largest && (result < 0) == (rounded < 0) ? 1 : far;
  }
  int exponent = 0;
  std::frexp(rounded, &exponent);
  exponent = std::max(rounded == 0 ? -10000 : exponent, std::numeric_limits<T>::min_exponent);
  return static_cast<double>(std::fabs(wide<T>(result) - exact) /
                             std::ldexp(wide<T>(1), exponent - std::numeric_limits<T>::digits));
}

template <class T>
std::vector<T> special_values() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (const T x : {T(0),
                    limits::denorm_min(),
                    T(3) * limits::denorm_min(),
                    limits::min() / 2,
                    limits::min(),
                    T(1e-30),
                    limits::epsilon() / 2,
                    limits::epsilon(),
                    T(1e-3),
                    T(0.25),
                    T(0.5),
                    T(0.75),
                    T(1) - limits::epsilon() / 2,
                    T(1),
                    T(1) + limits::epsilon(),
                    T(1.5),
                    T(2),
                    T(2.5),
                    T(3),
                    T(16),
                    T(87.5),
                    T(88.37),
                    T(88.6),
                    T(88.8),
                    T(103.5),
                    T(104.5),
                    T(709.7),
                    T(709.9),
                    T(745),
                    T(746),
                    T(1e4),
                    T(16777216),
                    T(1e10),
                    T(1e30),
                    limits::max() / 2,
                    limits::max(),
                    infinity<T>}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(not_a_number<T>);
  return values;
}

/// Special values, numbers of all sizes, and numbers between two bounds.
template <class T>
std::vector<T> arguments(T low, T high) {
  std::vector<T> values = special_values<T>();
  std::mt19937_64 random(7);
  std::uniform_real_distribution<T> between(low, high);
  for (int i = 0; i < 40000; ++i) values.push_back(from_bits<T>(static_cast<word<T>>(random() >> (64 - 8 * sizeof(T)))));
  for (int i = 0; i < 40000; ++i) values.push_back(between(random));
  return values;
}

/// The results of f for all values, the last ones in a partial batch.
template <class T, class F>
std::vector<T> map(const F& f, const std::vector<T>& x) {
  std::vector<T> y(x.size());
  std::size_t i = 0;
  for (; i + lanes<T> <= x.size(); i += lanes<T>) cpu::store(&y[i], batch<T>(f(cpu::load(&x[i]))));
  const int rest = static_cast<int>(x.size() - i);
  if (rest > 0) cpu::store_partial(&y[i], batch<T>(f(cpu::load_partial(&x[i], rest))), rest);
  return y;
}

template <class T, class F, class Exact>
void check_within(double bound, const std::vector<T>& x, const F& f, const Exact& exact) {
  const std::vector<T> y = map(f, x);
  double worst = -1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = distance<T>(y[i], exact(static_cast<wide<T>>(x[i])));
    if (d > worst) {
      worst = d;
      at = i;
    }
  }
  CAPTURE(x[at]);
  CAPTURE(y[at]);
  CHECK(worst <= bound);
}

template <class T, class F, class Exact>
void check_exactly(const std::vector<T>& x, const F& f, const Exact& exact) {
  const std::vector<T> y = map(f, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T expected = exact(x[i]);
    CAPTURE(x[i]);
    if (std::isnan(expected))
      CHECK(std::isnan(y[i]));
    else
      REQUIRE(bits(y[i]) == bits(expected));
  }
}

/// f is odd to the bit, the sign of zero included.
template <class T, class F>
void check_odd(const F& f) {
  std::vector<T> x = arguments<T>(T(-5), T(5)), minus_x;
  for (T& v : x)
    if (std::isnan(v)) v = 0;
  for (const T v : x) minus_x.push_back(-v);
  const std::vector<T> y = map(f, x), minus_y = map(f, minus_x);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isnan(y[i])) REQUIRE(bits(-y[i]) == bits(minus_y[i]));
}

template <class T, class F>
std::vector<T> map(const F& f, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> y(a.size());
  for (std::size_t i = 0; i < a.size(); i += lanes<T>) {
    const int count = static_cast<int>(std::min<std::size_t>(lanes<T>, a.size() - i));
    cpu::store_partial(&y[i], batch<T>(f(cpu::load_partial(&a[i], count), cpu::load_partial(&b[i], count))), count);
  }
  return y;
}

/// All pairs of special values.
template <class T>
void special_pairs(std::vector<T>& a, std::vector<T>& b) {
  std::vector<T> values = special_values<T>();
  for (const T odd : {T(-1), T(-3), T(5), T(16777215), T(9007199254740991.0)}) values.push_back(odd);
  for (const T x : values)
    for (const T y : values) {
      a.push_back(x);
      b.push_back(y);
    }
}

#define SCALAR(EXPRESSION) [](auto v) -> decltype(v) { return EXPRESSION; }
#define BATCH(NAME) [](const auto& v) { return math::NAME(v); }
#define BATCH2(NAME) [](const auto& v, const auto& w) { return math::NAME(v, w); }

}  // namespace batches
