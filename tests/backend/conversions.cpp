// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <etch/backend/cpu/program/lane_values.hpp>

/// Floats as integers, number by number: what the integer does not hold has a result, too, so that a sanitizer of undefined behaviour finds none.
using etch::cpu::detail::truncated_to;

namespace {
template <class To, class From>
void check_ends(From end) {
  constexpr To low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
  constexpr From infinite = std::numeric_limits<From>::infinity();
  CHECK(truncated_to<To>(From(-1.75)) == -1);
  CHECK(truncated_to<To>(From(1.75)) == 1);
  CHECK(truncated_to<To>(-end) == low);
  for (const From outside :
       {end, -end * 2, infinite, -infinite, std::numeric_limits<From>::quiet_NaN(), std::numeric_limits<From>::max()})
    CHECK(truncated_to<To>(outside) == low);
  const From last = std::nextafter(end, From(0));
  CHECK(truncated_to<To>(last) <= high);
  CHECK(static_cast<From>(truncated_to<To>(last)) == std::trunc(last));
}
}  // namespace

TEST_CASE_TEMPLATE("conversions: numbers that an integer does not hold become the least, as in registers", T, float, double) {
  check_ends<std::int32_t, T>(T(0x1p31));
  check_ends<std::int64_t, T>(T(0x1p63));
  CHECK(truncated_to<std::uint32_t>(T(4000000000.0)) == 4000000000u);
  CHECK(truncated_to<std::uint64_t>(T(0x1p63)) == std::uint64_t{1} << 63);
  CHECK(truncated_to<std::uint32_t>(T(-0.5)) == 0);
  CHECK(truncated_to<std::uint8_t>(T(200.9)) == 200);
  CHECK(truncated_to<std::int8_t>(T(-100.9)) == -100);
  for (const T outside : {T(-1), T(0x1p70), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()}) {
    static_cast<void>(truncated_to<std::uint32_t>(outside));
    static_cast<void>(truncated_to<std::uint64_t>(outside));
    static_cast<void>(truncated_to<std::uint8_t>(outside));
    static_cast<void>(truncated_to<std::int16_t>(outside));
  }
}
