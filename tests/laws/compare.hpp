// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

#include <etch/etch.hpp>
#include "reference/run.hpp"

/// What the laws share: operands that try an op, and the comparison of two results.
namespace laws {

/// How many numbers of type T lie from a to b. Two NaN are equal; zeros of different signs, and NaN and anything else,
/// are far apart.
template <class T>
std::int64_t distance(T a, T b) {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::is_floating_point_v<T>) {
    using word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : far;
    if (std::signbit(a) != std::signbit(b)) return far;
    word i, j;
    std::memcpy(&i, &a, sizeof a);
    std::memcpy(&j, &b, sizeof b);
    const std::int64_t d = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j);
    return d < 0 ? -d : d;
  } else {
    return a == b ? 0 : far;
  }
}

/// Whether two results have one shape, and elements at most `ulps` apart; `where` says how the first that are not
/// differ.
template <class T, std::size_t N>
bool agree(const xt::xtensor<T, N>& got, const xt::xtensor<T, N>& expected, std::int64_t ulps, std::string& where) {
  for (std::size_t d = 0; d < N; ++d)
    if (got.shape()[d] != expected.shape()[d]) {
      where = "axis " + std::to_string(d) + ": " + std::to_string(got.shape()[d]) + " for " + std::to_string(expected.shape()[d]);
      return false;
    }
  for (std::size_t i = 0; i < got.size(); ++i)
    if (distance(got.data()[i], expected.data()[i]) > ulps) {
      char text[96];
      std::snprintf(text, sizeof text, "element %zu: %.17g for %.17g", i, static_cast<double>(got.data()[i]),
                    static_cast<double>(expected.data()[i]));
      where = text;
      return false;
    }
  return true;
}
template <class T>
  requires std::is_arithmetic_v<T>
bool agree(T got, T expected, std::int64_t ulps, std::string& where) {
  return agree(xt::xtensor<T, 1>{got}, xt::xtensor<T, 1>{expected}, ulps, where);
}

/// The elements of an eager tensor as an array.
template <class Tensor>
auto copied(const Tensor& t) {
  return static_cast<xt::xtensor<typename Tensor::value_type, static_cast<std::size_t>(Tensor::rank)>>(t);
}

/// One assertion for all comparisons: doctest's macro is expanded once, not for each type of result.
inline void check_that(bool holds, const std::string& text) { CHECK_MESSAGE(holds, text); }

/// Compares result by result; names and bounds are given in the order of the results.
template <class... R>
void check_agreement(const std::tuple<R...>& got, const std::tuple<R...>& expected, const char* const* names,
                     const std::int64_t* ulps, const std::string& what) {
  std::string where[sizeof...(R)];
  bool agrees[sizeof...(R)];
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((agrees[I] = agree(std::get<I>(got), std::get<I>(expected), ulps == nullptr ? 0 : ulps[I], where[I])), ...);
  }(std::index_sequence_for<R...>{});
  for (std::size_t i = 0; i < sizeof...(R); ++i)
    check_that(agrees[i],
               (names == nullptr ? "result " + std::to_string(i) : std::string(names[i])) + " of " + what + ": " + where[i]);
}
/// All exactly equal.
template <class... R>
void check_equal(const std::tuple<R...>& got, const std::tuple<R...>& expected, const std::string& what) {
  check_agreement(got, expected, nullptr, nullptr, what);
}

/// Numbers at which functions go wrong.
template <class T>
const std::vector<T>& special_values() {
  static const std::vector<T> values = [] {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>)
      return std::vector<T>{T(0),
                            T(-0.0),
                            T(1),
                            T(-1),
                            T(0.5),
                            T(-0.5),
                            T(1.5),
                            T(2),
                            T(-2.5),
                            T(3),
                            T(-7),
                            T(100),
                            T(-100.25),
                            T(1e5),
                            T(1e-5),
                            limits::min(),
                            -limits::min(),
                            limits::denorm_min(),
                            -limits::denorm_min() * 77,
                            limits::max(),
                            limits::lowest(),
                            T(1e30),
                            T(-3e-30),
                            limits::infinity(),
                            -limits::infinity(),
                            limits::quiet_NaN(),
                            limits::epsilon(),
                            T(1) + limits::epsilon(),
                            T(16777217),
                            T(710),
                            T(-746)};
    else if constexpr (std::is_same_v<T, bool>)
      return std::vector<T>{false, true};
    else
      return std::vector<T>{T(0),  T(1),  T(2),  T(3),  T(7),    T(8),     T(100),        T(127),
                            T(-1), T(-2), T(-3), T(-7), T(-128), T(30000), limits::max(), limits::lowest()};
  }();
  return values;
}

/// Moderate numbers: floats in (-4, 4), integers in [-9, 9] or [0, 18].
template <class T>
T moderate(std::mt19937& generator) {
  if constexpr (std::is_floating_point_v<T>)
    return std::uniform_real_distribution<T>(-4, 4)(generator);
  else if constexpr (std::is_same_v<T, bool>)
    return generator() % 2 == 1;
  else
    return static_cast<T>(static_cast<int>(generator() % 19) - (std::is_signed_v<T> ? 9 : 0));
}

/// An array of moderate numbers.
template <class T, class... Extents>
auto random_array(std::mt19937& generator, Extents... extents) {
  xt::xtensor<T, sizeof...(Extents)> x(
      typename xt::xtensor<T, sizeof...(Extents)>::shape_type{static_cast<std::size_t>(extents)...});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = moderate<T>(generator);
  return x;
}

}  // namespace laws
