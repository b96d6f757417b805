// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <etch/base/decimal.hpp>

/// Doubles from decimal digits, beside those of the C library.
namespace {

/// Without a point, which another locale would write otherwise.
double by_the_library(std::uint64_t mantissa, int exponent) {
  return std::strtod((std::to_string(mantissa) + "e" + std::to_string(exponent)).c_str(), nullptr);
}

/// How many of the numbers differ that `next` gives.
template <class Next>
int differences(int count, const Next& next) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const auto [mantissa, exponent] = next();
    const double made = etch::nearest_double(mantissa, exponent);
    wrong += std::bit_cast<std::uint64_t>(made) != std::bit_cast<std::uint64_t>(by_the_library(mantissa, exponent));
  }
  return wrong;
}

struct decimal {
  std::uint64_t mantissa;
  int exponent;
};

}  // namespace

TEST_CASE("GRA-04: numbers of any digits and exponents are the nearest doubles") {
  std::mt19937_64 random(1);
  const auto any = [&](int exponents) {
    return [&random, exponents] {
      const std::uint64_t mantissa = random() >> (4 + random() % 60);
      const auto from = static_cast<std::uint64_t>(exponents);
      return decimal{mantissa, static_cast<int>(random() % (2 * from)) - exponents};
    };
  };
  CHECK(differences(5000, any(30)) == 0);
  CHECK(differences(5000, any(380)) == 0);
}

TEST_CASE("GRA-04: doubles written with 17 digits are read again, subnormal ones, too") {
  std::mt19937_64 random(2);
  int wrong = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t fraction = random() >> 12, exponent = i % 4 == 0 ? 0 : random() % 0x7ff;
    const double x = std::bit_cast<double>(exponent << 52 | fraction);
    char text[40];
    std::snprintf(text, sizeof text, "%.16e", x);
    // One digit, the point of the locale, 16 digits, the exponent.
    const std::string digits = std::string(1, text[0]) + std::string(text + 2, 16);
    wrong += etch::nearest_double(std::stoull(digits), std::atoi(text + 19) - 16) != x;
  }
  CHECK(wrong == 0);
}

TEST_CASE("GRA-04: halfway between two doubles is the even one, and a digit beside it decides") {
  std::mt19937_64 random(3);
  // Odd numbers between 2^53 and 2^54 lie halfway.
  CHECK(differences(1000, [&] { return decimal{(random() >> 11) + (std::uint64_t{1} << 53) + 1, 0}; }) == 0);
  CHECK(etch::nearest_double(9007199254740993, 0) == 9007199254740992.);
  CHECK(etch::nearest_double(90071992547409931, -1) == 9007199254740994.);
  CHECK(etch::nearest_double(90071992547409929, -1) == 9007199254740992.);
  CHECK(etch::nearest_double(9007199254740995, 0) == 9007199254740996.);
}

TEST_CASE("GRA-04: the ends of the range of doubles") {
  constexpr double infinity = std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::denorm_min();
  static_assert(etch::nearest_double(17976931348623157, 292) == std::numeric_limits<double>::max());
  static_assert(etch::nearest_double(17976931348623158, 292) == std::numeric_limits<double>::max());
  static_assert(etch::nearest_double(17976931348623159, 292) == infinity);
  static_assert(etch::nearest_double(1, 309) == infinity && etch::nearest_double(1, 100000) == infinity);
  static_assert(etch::nearest_double(22250738585072014, -324) == std::numeric_limits<double>::min());
  static_assert(etch::nearest_double(22250738585072011, -324) < std::numeric_limits<double>::min());
  static_assert(etch::nearest_double(49406564584124654, -340) == least);
  static_assert(etch::nearest_double(24703282292062328, -340) == least && etch::nearest_double(24703282292062327, -340) == 0);
  static_assert(etch::nearest_double(1, -324) == 0 && etch::nearest_double(1, -100000) == 0);
  static_assert(etch::nearest_double(0, 400) == 0);
  const auto all_wrong = [] {
    int wrong = 0;
    for (int e = -345; e <= 310; ++e)
      for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{17976931348623157}, std::uint64_t{899999999999999999}})
        wrong += etch::nearest_double(m, e) != by_the_library(m, e);
    return wrong;
  };
  CHECK(all_wrong() == 0);
}
