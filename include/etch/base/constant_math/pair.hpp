// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/bits.hpp>

/// Arithmetic with twice the digits of a double, after T. J. Dekker, "A floating-point technique for extending the
/// available precision", Numer. Math. 18 (1971), and D. E. Knuth, The Art of Computer Programming 2, section 4.2.2.
namespace etch::constant_math {

/// The sum hi + lo, where lo is at most half an ulp of hi: about 106 bits.
struct pair {
  double hi = 0;
  double lo = 0;
};

/// a + b exactly (Knuth).
ETCH_HOST_DEVICE constexpr pair two_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// a + b exactly where |a| >= |b| (Dekker).
ETCH_HOST_DEVICE constexpr pair ordered_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// x to the nearest number of 26 bits, for |x| < 2^1023. Rounded in its bits: unlike Dekker's cut by a multiplication,
/// this neither overflows earlier nor changes where a compiler contracts products and sums.
ETCH_HOST_DEVICE constexpr double upper_half(double x) { return from_bits((to_bits(x) + 0x4000000u) & ~std::uint64_t{0x7ffffff}); }

/// a * b exactly, unless it comes near the ends of the range of a double (Dekker).
ETCH_HOST_DEVICE constexpr pair two_product(double a, double b) {
  const double a_hi = upper_half(a), a_lo = a - a_hi;
  const double b_hi = upper_half(b), b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product + a_hi * b_lo) + a_lo * b_hi) + a_lo * b_lo};
}

ETCH_HOST_DEVICE constexpr pair operator-(const pair& a) { return {-a.hi, -a.lo}; }

ETCH_HOST_DEVICE constexpr pair operator+(const pair& a, const pair& b) {
  const pair sum = two_sum(a.hi, b.hi);
  return ordered_two_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

ETCH_HOST_DEVICE constexpr pair operator*(const pair& a, const pair& b) {
  const pair product = two_product(a.hi, b.hi);
  return ordered_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

ETCH_HOST_DEVICE constexpr pair operator/(const pair& a, const pair& b) {
  const double quotient = a.hi / b.hi;
  const pair product = two_product(quotient, b.hi);
  const double rest = ((a.hi - product.hi) - product.lo) + (a.lo - quotient * b.lo);
  return ordered_two_sum(quotient, rest / b.hi);
}

ETCH_HOST_DEVICE constexpr pair operator+(const pair& a, double b) { return a + pair{b, 0}; }
ETCH_HOST_DEVICE constexpr pair operator-(double a, const pair& b) { return pair{a, 0} + -b; }
ETCH_HOST_DEVICE constexpr pair operator/(const pair& a, double b) { return a / pair{b, 0}; }

/// x * 2^n, rounded once. Where the result is subnormal its last bit is worth 2^-1074: a sum with 2^(-1022 - n), whose
/// last bit is worth that before the scaling, rounds there.
ETCH_HOST_DEVICE constexpr double round_scaled(const pair& x, int n) {
  if (x.hi == 0) return x.hi;
  const int exponent = decompose(x.hi).exponent + n;
  if (exponent >= -1022) return ldexp(x.hi, n);
  if (exponent < -1080) return copysign(0.0, x.hi);
  const double anchor = ldexp(copysign(1.0, x.hi), -1022 - n);
  const pair sum = two_sum(anchor, x.hi);
  return ldexp((sum.hi + (sum.lo + x.lo)) - anchor, n);
}

/// a * b + c within 0.501 ulp; rounded twice where the product comes near the ends of the range of a double.
ETCH_HOST_DEVICE constexpr double fma(double a, double b, double c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return quiet_nan;
  const double size = fabs(a * b);
  const bool usual = size > 0x1p-900 && size < 0x1p1000 && fabs(a) < 0x1p1000 && fabs(b) < 0x1p1000;
  if (!usual || !(fabs(c) < 0x1p1000)) return a * b + c;
  const pair product = two_product(a, b);
  const pair sum = two_sum(product.hi, c);
  return sum.hi + (sum.lo + product.lo);
}

}  // namespace etch::constant_math
