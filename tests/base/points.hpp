// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

/// Where functions of numbers are tried, at run time and while a test is compiled, and how far two results are apart.
namespace trial {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T lowest = std::numeric_limits<T>::lowest();
template <class T>
constexpr T highest = std::numeric_limits<T>::max();

/// How many numbers of type T lie from a to b. Zeros of different signs, and a NaN and anything else, are far apart.
template <class T>
std::int64_t distance(T a, T b) {
  constexpr std::int64_t far = highest<std::int64_t>;
  using word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : far;
  if (std::signbit(a) != std::signbit(b)) return far;
  word i, j;
  std::memcpy(&i, &a, sizeof a);
  std::memcpy(&j, &b, sizeof b);
  return std::llabs(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j));
}

/// How far a result is from the exact one, in units of the last place of the exact one rounded; that of a subnormal number
/// is 2^-1074. Infinite where only one of them is NaN or rounded infinite, or their signs differ.
inline double error_in_ulps(double result, long double exact) {
  constexpr double far = infinity<double>;
  if (std::isnan(result) || std::isnan(exact)) return std::isnan(result) && std::isnan(exact) ? 0 : far;
  if (std::signbit(result) != std::signbit(exact)) return far;
  const double rounded = static_cast<double>(exact);
  if (std::isinf(rounded) || std::isinf(result)) return rounded == result ? 0 : far;
  const int exponent = rounded == 0 ? -1022 : std::max(std::ilogb(rounded), -1022);
  return static_cast<double>(std::fabs(static_cast<long double>(result) - exact) / std::ldexp(1.0L, exponent - 52));
}

template <class T>
bool same(T a, T b) {
  return distance(a, b) == 0;
}

/// Numbers to try a function at: evenly in an interval, with evenly distributed exponents, or of random bits.
class points {
 public:
  points& evenly(double lowest, double highest) {
    std::uniform_real_distribution<double> draw(lowest, highest);
    for (int i = 0; i < count; ++i) all.push_back(draw(engine));
    return *this;
  }
  points& sizes(double lowest_exponent, double highest_exponent) {
    std::uniform_real_distribution<double> draw(lowest_exponent, highest_exponent);
    for (int i = 0; i < count; ++i) all.push_back((engine() % 2 ? 1 : -1) * std::exp2(draw(engine)));
    return *this;
  }
  points& near_multiples(double of, int up_to) {
    for (int i = 0; i < count; ++i)
      all.push_back(of * static_cast<double>(static_cast<int>(engine() % static_cast<unsigned>(up_to))));
    return *this;
  }
  points& any_bits() {
    for (int i = 0; i < count; ++i) {
      const std::uint64_t bits = engine();
      double x;
      std::memcpy(&x, &bits, sizeof x);
      all.push_back(x);
    }
    return *this;
  }

  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }

 private:
  static constexpr int count = 20000;
  std::mt19937_64 engine{20240229};
  // clang-format off
  std::vector<double> all = {
      0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, -0x1.fffffp-1023, 0x1p-60, -0x1p-54, 0x1p-28, -0x1p-27, 0.5,
      -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, 2.5, 3.0, -3.0, 0x1.fffffffffffffp-1, 0x1.0000000000001p+0, 22.0, 40.0,
      709.782712893384, 709.7827128933841, -708.4, -745.1332191019411, -745.1332191019412, -1075.0, 0x1p+52,
      -0x1.fffffffffffffp+51, 0x1p+53, 0x1p+63, 1e22, 1e300, -1e300, highest<double>, lowest<double>,
      infinity<double>, -infinity<double>, not_a_number<double>};
  // clang-format on
};

template <class F, class G>
std::int64_t largest_distance(const points& xs, F ours, G theirs) {
  std::int64_t largest = 0;
  for (const double x : xs) {
    const std::int64_t d = distance(ours(x), theirs(x));
    if (d > largest) {
      largest = d;
      if (d > 2) MESSAGE("at " << x << ": " << ours(x) << " against " << theirs(x));
    }
  }
  return largest;
}

/// What a function is evaluated at while this file is compiled.
// clang-format off
constexpr std::array<double, 34> constant_points = {
    0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, 1e-300, -1e-9, 1e-5, -0.01, 0.1, -0.25, 0.3, -0.5, 0.7, -0.9, 1.0,
    1.25, -1.5, 2.0, 3.0, -4.5, 5.875, 10.0, -20.5, 50.0, 1e3, -720.0, -1e3, 123456.75, -1e6, 1e22, 1e300,
    infinity<double>, not_a_number<double>};
// clang-format on

template <class F>
constexpr auto evaluated(F function) {
  std::array<double, constant_points.size()> results{};
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = function(constant_points[i]);
  return results;
}

template <class F>
std::int64_t largest_distance(const std::array<double, constant_points.size()>& ours, F theirs) {
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const std::int64_t d = distance(ours[i], theirs(constant_points[i]));
    if (d > 2) MESSAGE("at " << constant_points[i] << ": " << ours[i] << " against " << theirs(constant_points[i]));
    largest = d > largest ? d : largest;
  }
  return largest;
}

/// Makes a run-time argument of a constant.
template <class T>
T at_run_time(T x) {
  volatile T hidden = x;
  return hidden;
}

}  // namespace trial
