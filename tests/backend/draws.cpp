// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <etch/backend/cpu/opaque/draws.hpp>
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

#include "base/larger.hpp"

namespace {

using namespace etch;

const draw_key key = draw_key::of(20261127, 3, 0x123456789abcdef);

/// Elements of every count and from every place on have the bits of the function of one element.
template <class T, class Draw, class One>
void check_elements(const Draw& draw, const One& one) {
  for (const std::int64_t first : {0, 1, 2, 7, 64, 1'000'001})
    for (std::int64_t count = 0; count < 5 * cpu::detail::drawn_at_once<T>; ++count) {
      std::vector<T> drawn(static_cast<std::size_t>(count) + 1, T(-77));
      cpu::detail::draw_elements(drawn.data(), first, count, key, draw, one);
      bool same = drawn.back() == T(-77);
      for (std::int64_t i = 0; i < count; ++i) {
        const T expected = one(key, static_cast<std::uint64_t>(first + i));
        same = same && std::memcmp(&expected, &drawn[static_cast<std::size_t>(i)], sizeof(T)) == 0;
      }
      CHECK(same);
    }
}

/// By how many units in the last place of the distance from 0 a pair's results are wrong, against the same in long double.
template <class T>
double largest_error(std::uint64_t pairs) {
  double largest = 0;
  for (std::uint64_t p = 0; p < pairs; ++p) {
    const long double left = etch::detail::complement_of<T>(etch::detail::bits_at(key, 2 * p)),
                      full_turn = 6.283185307179586476925287L;
    const long double angle = full_turn * etch::detail::uniform_of<T>(etch::detail::bits_at(key, 2 * p + 1));
    const long double radius = std::sqrt(-2 * std::log(left));
    const long double unit = std::ldexp(1.0L, std::ilogb(radius) - (sizeof(T) == 4 ? 23 : 52));
    largest = larger_or_nan(largest, static_cast<double>(std::abs(normal_at<T>(key, 2 * p) - radius * std::cos(angle)) / unit));
    largest = larger_or_nan(largest, static_cast<double>(std::abs(normal_at<T>(key, 2 * p + 1) - radius * std::sin(angle)) / unit));
  }
  return largest;
}

/// The largest distance of the numbers' distribution from a given one, times the root of their count (Kolmogorov, Smirnov): above 2.2 in one of
/// 10,000 samples.
template <class F>
double kolmogorov_smirnov(std::vector<double> values, const F& distribution) {
  std::sort(values.begin(), values.end());
  double largest = 0;
  const double n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double f = distribution(values[i]);
    largest = std::max({largest, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return largest * std::sqrt(n);
}

template <class T>
void check_distributions() {
  std::vector<T> drawn(200'000);
  const auto count = static_cast<std::int64_t>(drawn.size());
  cpu::detail::draw_elements(drawn.data(), 0, count, key, cpu::detail::draw_uniform<T>, uniform_at<T>);
  CHECK(*std::min_element(drawn.begin(), drawn.end()) >= 0);
  CHECK(*std::max_element(drawn.begin(), drawn.end()) < 1);
  CHECK(kolmogorov_smirnov({drawn.begin(), drawn.end()}, [](double x) { return x; }) < 2.2);
  cpu::detail::draw_elements(drawn.data(), 0, count, key, cpu::detail::draw_normal<T>, normal_at<T>);
  CHECK(kolmogorov_smirnov({drawn.begin(), drawn.end()}, [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }) < 2.2);
  // The two of a pair, and neighbours of two pairs, have nothing to do with each other.
  for (const std::size_t first : {0u, 1u}) {
    double sum = 0, of_squares = 0;
    for (std::size_t i = first; i + 1 < drawn.size(); i += 2) {
      sum += double{drawn[i]} * double{drawn[i + 1]};
      of_squares += (double{drawn[i]} * double{drawn[i]} - 1) * (double{drawn[i + 1]} * double{drawn[i + 1]} - 1);
    }
    CHECK(std::abs(sum) < 4 * std::sqrt(1e5));
    CHECK(std::abs(of_squares) < 4 * std::sqrt(4 * 1e5));
  }
}

}  // namespace

TEST_CASE("draws: vectors have the bits of single elements, of any count and from any element on") {
  check_elements<float>(cpu::detail::draw_uniform<float>, uniform_at<float>);
  check_elements<double>(cpu::detail::draw_uniform<double>, uniform_at<double>);
  check_elements<float>(cpu::detail::draw_normal<float>, normal_at<float>);
  check_elements<double>(cpu::detail::draw_normal<double>, normal_at<double>);
}

TEST_CASE("draws: so also where all 64 bits of a normal number count") {
  // Two of 65,536 pairs have 16 ones in front.
  std::vector<float> drawn(1'000'000);
  cpu::detail::draw_elements(drawn.data(), 0, 1'000'000, key, cpu::detail::draw_normal<float>, normal_at<float>);
  int tails = 0;
  bool same = true;
  for (std::uint64_t p = 0; p < 500'000; ++p) {
    if (etch::detail::complement_of<float>(etch::detail::bits_at(key, 2 * p)) > 0x1p-16f) continue;
    ++tails;
    for (const std::uint64_t i : {2 * p, 2 * p + 1}) same = same && drawn[i] == normal_at<float>(key, i);
  }
  CHECK(tails > 0);
  CHECK(same);
}

TEST_CASE("draws: the transform of Box and Muller is within 3 units in the last place") {
  CHECK(largest_error<float>(100'000) < 3);
  CHECK(largest_error<double>(100'000) < 3);
}

TEST_CASE("draws: uniform and normal distributions, and no correlation of neighbours") {
  check_distributions<float>();
  check_distributions<double>();
}

TEST_CASE("draws: any number of threads draws the same") {
  constexpr auto x = random_normal<"x">(shape<1001, 333>{});
  constexpr auto y = random_uniform<"y", double>(shape<100'003>{});
  etch::session alone(x, y);
  alone.initialize(5);
  const auto [expected_x, expected_y] = alone.run(x, y);
  for (const int workers : {2, 3, 7}) {
    thread_pool pool(workers);
    etch::session shared(x, y);
    shared.initialize(5);
    shared.set_executor(&pool);
    const auto [got_x, got_y] = shared.run(x, y);
    CHECK(got_x == expected_x);
    CHECK(got_y == expected_y);
  }
  for (const std::uint64_t i : {0u, 333u, 100'002u}) {
    const draw_key of_y = draw_key::of(5, 1, name_of<"y">::hash);
    CHECK(expected_y(i) == uniform_at<double>(of_y, i));
  }
}
