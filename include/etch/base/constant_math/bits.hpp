// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/config.hpp>

/// The parts of a double. __builtin_bit_cast rather than std::bit_cast, which is a host function to nvcc.
namespace etch::constant_math {

inline constexpr double infinity = __builtin_huge_val();
inline constexpr double quiet_nan = __builtin_nan("");

ETCH_HOST_DEVICE constexpr std::uint64_t to_bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
ETCH_HOST_DEVICE constexpr double from_bits(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

/// Asked of the bits, and before any comparison: nvcc's constant expressions compare no NaN.
ETCH_HOST_DEVICE constexpr bool is_nan(double x) { return (to_bits(x) & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000u; }

ETCH_HOST_DEVICE constexpr bool is_negative(double x) { return to_bits(x) >> 63 != 0; }  ///< true for -0, too
ETCH_HOST_DEVICE constexpr double fabs(double x) { return from_bits(to_bits(x) & ~(std::uint64_t{1} << 63)); }

ETCH_HOST_DEVICE constexpr double copysign(double x, double sign) { return is_negative(x) == is_negative(sign) ? x : -x; }

/// 2^n for -1022 <= n <= 1023.
ETCH_HOST_DEVICE constexpr double power_of_two(int n) { return from_bits(static_cast<std::uint64_t>(n + 1023) << 52); }

/// A finite number other than 0 as mantissa * 2^exponent, 1 <= |mantissa| < 2.
struct scientific {
  double mantissa;
  int exponent;
};

ETCH_HOST_DEVICE constexpr scientific decompose(double x) {
  const bool subnormal = fabs(x) < 0x1p-1022;
  const std::uint64_t bits = to_bits(subnormal ? x * 0x1p54 : x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  return {from_bits((bits & 0x800fffffffffffffu) | 0x3ff0000000000000u), subnormal ? exponent - 54 : exponent};
}

/// x * 2^n, rounded once where it is subnormal.
ETCH_HOST_DEVICE constexpr double ldexp(double x, int n) {
  if (is_nan(x) || x == 0 || fabs(x) == infinity) return x;
  const scientific s = decompose(x);
  // the sums of exponents fit an int: what is above 5000 or below -5000 over- or underflows any double
  const int exponent = s.exponent + (n > 5000 ? 5000 : n < -5000 ? -5000 : n);
  if (exponent > 1023) return copysign(infinity, x);
  if (exponent >= -1022) return s.mantissa * power_of_two(exponent);
  if (exponent < -1080) return copysign(0.0, x);
  return s.mantissa * power_of_two(exponent + 1000) * 0x1p-1000;
}

}  // namespace etch::constant_math
