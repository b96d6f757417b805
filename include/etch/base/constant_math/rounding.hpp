// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/bits.hpp>

/// Functions whose results are exact, and the correctly rounded square root.
namespace etch::constant_math {

ETCH_HOST_DEVICE constexpr double trunc(double x) {
  if (is_nan(x) || fabs(x) >= 0x1p52) return x;  // an integer already, or infinite
  return copysign(static_cast<double>(static_cast<std::int64_t>(x)), x);
}

ETCH_HOST_DEVICE constexpr double floor(double x) {
  if (is_nan(x)) return x;
  const double towards_zero = trunc(x);
  return towards_zero > x ? towards_zero - 1 : towards_zero;
}

ETCH_HOST_DEVICE constexpr double ceil(double x) {
  if (is_nan(x)) return x;
  const double towards_zero = trunc(x);
  return towards_zero < x ? copysign(towards_zero + 1, x) : towards_zero;
}

/// The last bit of 2^52 + |x| is worth 1: the sum rounds as IEEE arithmetic does, halves to even.
ETCH_HOST_DEVICE constexpr double round_to_even(double x) {
  if (is_nan(x) || fabs(x) >= 0x1p52) return x;
  return copysign((fabs(x) + 0x1p52) - 0x1p52, x);
}

/// x - y * trunc(x / y), exactly: long division of the mantissas as integers, 11 bits a step.
ETCH_HOST_DEVICE constexpr double fmod(double x, double y) {
  if (is_nan(x)) return x;
  if (is_nan(y)) return y;
  if (fabs(x) == infinity || y == 0) return quiet_nan;
  if (fabs(x) < fabs(y)) return x;
  const scientific dividend = decompose(fabs(x)), divisor = decompose(fabs(y));
  const std::uint64_t modulus = static_cast<std::uint64_t>(divisor.mantissa * 0x1p52);
  std::uint64_t rest = static_cast<std::uint64_t>(dividend.mantissa * 0x1p52) % modulus;
  for (int shift = dividend.exponent - divisor.exponent; shift > 0 && rest != 0; shift -= 11)
    rest = (rest << (shift < 11 ? shift : 11)) % modulus;
  return copysign(ldexp(static_cast<double>(rest), divisor.exponent - 52), x);
}

/// Correctly rounded. With x = m * 2^104 for an integer m * 2^52 of 53 or 54 bits, an integer y is the nearest to the
/// root if and only if -y < x - y * y <= y; these differences fit 64 bits although the terms do not.
ETCH_HOST_DEVICE constexpr double sqrt(double x) {
  if (is_nan(x) || x == 0 || x == infinity) return x;
  if (x < 0) return quiet_nan;
  scientific s = decompose(x);
  if (s.exponent % 2 != 0) {
    s.mantissa *= 2;
    s.exponent -= 1;
  }
  double root = 0.36 * s.mantissa + 0.67;  // within 4 % on [1, 4); each of Newton's steps doubles the digits
  for (int step = 0; step < 4; ++step) root = 0.5 * (root + s.mantissa / root);
  std::uint64_t y = static_cast<std::uint64_t>(root * 0x1p52);
  std::int64_t difference = static_cast<std::int64_t>((static_cast<std::uint64_t>(s.mantissa * 0x1p52) << 52) - y * y);
  while (difference > static_cast<std::int64_t>(y)) difference -= static_cast<std::int64_t>(2 * y++ + 1);
  while (difference <= -static_cast<std::int64_t>(y)) difference += static_cast<std::int64_t>(2 * y-- - 1);
  return ldexp(static_cast<double>(y), s.exponent / 2 - 52);
}

/// 1 / sqrt(x), rounded twice as at run time.
ETCH_HOST_DEVICE constexpr double rsqrt(double x) {
  if (is_nan(x)) return x;
  if (x == 0) return copysign(infinity, x);
  return x > 0 ? 1 / sqrt(x) : quiet_nan;
}

}  // namespace etch::constant_math
