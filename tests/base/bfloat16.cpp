// SPDX-License-Identifier: MIT
#include <etch/base/bfloat16.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <sstream>
#include <type_traits>

#include <doctest/doctest.h>

/// bfloat16 as a C++ type: bits, roundings, limits.
namespace {

using etch::bfloat16;
using limits = std::numeric_limits<bfloat16>;

static_assert(sizeof(bfloat16) == 2 && alignof(bfloat16) == 2);
static_assert(std::is_trivially_copyable_v<bfloat16> && std::is_trivially_default_constructible_v<bfloat16>);
static_assert(!std::is_convertible_v<float, bfloat16> && std::is_convertible_v<bfloat16, float>);
static_assert(bfloat16(1.f).bits == 0x3f80 && bfloat16(-2).bits == 0xc000 && float(bfloat16(0.5)) == 0.5f);
template <bfloat16 Value>
constexpr float of_a_template_argument = Value;
static_assert(of_a_template_argument<bfloat16(1.5f)> == 1.5f);

/// The value that those bits stand for, by the format's definition: (-1)^s 2^(e - 127) 1.m, and 2^-126 0.m where e is 0.
double value_of_bits(std::uint16_t bits) {
  const int exponent = bits >> 7 & 0xff, mantissa = bits & 0x7f;
  const double size = exponent == 0 ? std::ldexp(mantissa, -133) : std::ldexp(128 + mantissa, exponent - 134);
  return bits >> 15 != 0 ? -size : size;
}

TEST_CASE("all bfloat16 are the floats that they stand for, and come back") {
  for (std::uint32_t i = 0; i < 1 << 16; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const float x = bfloat16::from_bits(bits);
    if ((bits & 0x7f80) == 0x7f80) {
      if ((bits & 0x7f) != 0) {
        CHECK(std::isnan(x));
        CHECK(bfloat16(x).bits == (bits | 0x40));  // quiet
        continue;
      }
      CHECK(std::isinf(x));
    } else {
      CHECK(static_cast<double>(x) == value_of_bits(bits));
    }
    CHECK(std::signbit(x) == (bits >> 15 != 0));
    CHECK(bfloat16(x).bits == bits);
  }
}

TEST_CASE("floats become the nearest bfloat16, halves to even") {
  // Of the two neighbours the nearer one; between the largest number and infinity stands the number that would come next.
  std::int64_t wrong = 0;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << 32; i += 4093) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(i));
    if (std::isnan(x) || std::isinf(x)) continue;
    const auto below = static_cast<std::uint16_t>(i >> 16);  // nearer to zero
    const auto above = static_cast<std::uint16_t>(below + 1);
    const double low = std::abs(value_of_bits(below)), size = std::abs(static_cast<double>(x));
    const double high = (above & 0x7fff) == 0x7f80 ? 0x1p128 : std::abs(value_of_bits(above));
    const double to_low = size - low, to_high = high - size;
    const std::uint16_t expected = to_low < to_high || (to_low == to_high && below % 2 == 0) ? below : above;
    if (bfloat16(x).bits != expected) ++wrong;
  }
  CHECK(wrong == 0);
}

/// As `ml_dtypes.bfloat16` of numpy.float32 gives.
TEST_CASE("numbers at the edges as bfloat16") {
  const struct {
    float x;
    std::uint16_t bits;
  } cases[] = {
      {0.f, 0x0000},           {-0.f, 0x8000},           {1.00390625f, 0x3f80},    {1.01171875f, 0x3f82},
      {1.003906369f, 0x3f81},  {0.1f, 0x3dcd},           {3.14159274f, 0x4049},    {3.38953139e38f, 0x7f7f},
      {3.3961775e38f, 0x7f80}, {3.3961773e38f, 0x7f7f},  {-3.4028235e38f, 0xff80}, {1.17549435e-38f, 0x0080},
      {1e-40f, 0x0001},        {4.5917748e-41f, 0x0000}, {4.5917750e-41f, 0x0000}, {4.6e-41f, 0x0001},
      {1.4e-45f, 0x0000},      {-9.1835e-41f, 0x8001},   {INFINITY, 0x7f80},       {-INFINITY, 0xff80},
  };
  for (const auto& c : cases) {
    CAPTURE(c.x);
    CHECK(bfloat16(c.x).bits == c.bits);
  }
  CHECK(std::isnan(float(bfloat16(NAN))));
  // A NaN whose upper half alone would be infinity.
  CHECK(bfloat16(std::bit_cast<float>(0x7f800001u)).bits == 0x7fc0);
  CHECK(bfloat16(std::bit_cast<float>(0xff80ffffu)).bits == 0xffc0);
}

TEST_CASE("other numbers become bfloat16 by way of float") {
  CHECK(bfloat16(257).bits == 0x4380);  // 256, the even one
  CHECK(bfloat16(259).bits == 0x4382);  // 260
  CHECK(bfloat16(true).bits == 0x3f80);
  CHECK(bfloat16(std::int64_t{-1} << 40).bits == 0xd380);
  CHECK(bfloat16(1.00390625 + 1e-12).bits == 0x3f80);  // as a float a half
  CHECK(bfloat16(1e300).bits == 0x7f80);
}

TEST_CASE("bfloat16 compare and print as floats") {
  const bfloat16 one(1), two(2), zero(0.f), minus_zero(-0.f), nan = limits::quiet_NaN();
  CHECK((one < two && two > one && one <= one && one == one && one != two));
  CHECK(zero == minus_zero);
  CHECK_FALSE((nan == nan || nan < one || nan > one));
  CHECK(one + two == 3.f);
  CHECK(-one == -1.f);
  CHECK(static_cast<int>(bfloat16(2.5f)) == 2);
  std::ostringstream text;
  text << bfloat16(0.1f);
  CHECK(text.str() == "0.100098");
}

TEST_CASE("the limits of bfloat16") {
  static_assert(limits::is_specialized && limits::is_signed && !limits::is_integer && !limits::is_exact && limits::has_infinity);
  static_assert(limits::digits == 8 && limits::max_exponent == 128 && limits::min_exponent == -125 && limits::radix == 2);
  CHECK(double(limits::max()) == 0x1.fep127);
  CHECK(double(limits::lowest()) == -0x1.fep127);
  CHECK(double(limits::min()) == 0x1p-126);
  CHECK(double(limits::denorm_min()) == 0x1p-133);
  CHECK(double(limits::epsilon()) == 0x1p-7);
  CHECK(double(limits::round_error()) == 0.5);
  CHECK(std::isinf(float(limits::infinity())));
  CHECK(std::isnan(float(limits::quiet_NaN())));
  CHECK(std::isnan(float(limits::signaling_NaN())));
  CHECK(float(bfloat16(1 + float(limits::epsilon()))) > 1.f);
}

}  // namespace
