// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/pair.hpp>
#include <etch/base/constant_math/rounding.hpp>

/// Exponentials and logarithms, from their series in pairs of doubles. Only the first terms of a series need a pair:
/// the others are so small that a double's rounding of them is below 2^-64 of the sum. Arguments so small that the
/// result is plain are answered first, also because nvcc takes a product that underflows for no constant expression.
namespace etch::constant_math {

/// log(2) in two parts; the upper one has 42 bits: its products with the exponents of doubles are exact.
inline constexpr double log_2_upper = 0x1.62e42fefa3800p-1;
inline constexpr double log_2_lower = 0x1.ef35793c76730p-45;

ETCH_HOST_DEVICE constexpr pair log_of_2() { return {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}; }
ETCH_HOST_DEVICE constexpr pair log_of_10() { return {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}; }

/// value * 2^exponent.
struct scaled_pair {
  pair value;
  int exponent;
};

/// exp(x) - 1 for |x| < 0.35: x (1 + x/2 (1 + x/3 (1 + x/4 (...)))).
ETCH_HOST_DEVICE constexpr pair expm1_series(const pair& x) {
  double tail = 0;
  for (int n = 16; n >= 5; --n) tail = x.hi / n * (1 + tail);
  pair sum = two_sum(1, tail);
  for (int n = 4; n >= 2; --n) sum = x * sum / n + 1;
  return x * sum;
}

/// With k the integer nearest to x / log(2), exp(x) = 2^k exp(x - k log(2)): here exp(x - k log(2)) - 1, and k as its
/// exponent. For |x| < 750.
ETCH_HOST_DEVICE constexpr scaled_pair reduce_exponential(const pair& x) {
  const double k = round_to_even(x.hi * 0x1.71547652b82fep+0);
  const pair rest = pair{x.hi - k * log_2_upper, x.lo} + -two_product(k, log_2_lower);
  return {expm1_series(rest), static_cast<int>(k)};
}

ETCH_HOST_DEVICE constexpr double exp(const pair& x) {
  if (x.hi > 710) return infinity;
  if (x.hi < -746) return 0;
  const scaled_pair r = reduce_exponential(x);
  return round_scaled(r.value + 1, r.exponent);
}

ETCH_HOST_DEVICE constexpr double exp(double x) {
  if (is_nan(x)) return x;
  return fabs(x) < 0x1p-54 ? 1 : exp(pair{x, 0});
}

ETCH_HOST_DEVICE constexpr double exp2(double x) {
  if (is_nan(x)) return x;
  if (x >= 1024) return infinity;
  if (x < -1075) return 0;
  if (fabs(x) < 0x1p-54) return 1;
  const double n = round_to_even(x);
  return round_scaled(expm1_series(log_of_2() * pair{x - n, 0}) + 1, static_cast<int>(n));
}

/// 1 / (1 + exp(-x)), from exp(-|x|), which does not overflow.
ETCH_HOST_DEVICE constexpr double sigmoid(double x) {
  if (is_nan(x)) return x;
  const double e = exp(-fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

/// exp(x) - 1 for -40 < x < 750: with s = exp(x - k log(2)) - 1, either s or (1 + s - 2^-k) 2^k.
ETCH_HOST_DEVICE constexpr scaled_pair expm1_scaled(double x) {
  const scaled_pair r = reduce_exponential({x, 0});
  if (r.exponent == 0) return r;
  return {r.value + 1 + (r.exponent > 200 ? 0.0 : -power_of_two(-r.exponent)), r.exponent};
}

ETCH_HOST_DEVICE constexpr double expm1(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-54) return x;
  if (x > 710) return infinity;
  if (x < -40) return -1;
  const scaled_pair r = expm1_scaled(x);
  return round_scaled(r.value, r.exponent);
}

/// With q = expm1(2 |x|): q / (q + 2).
ETCH_HOST_DEVICE constexpr double tanh(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-28) return x;
  if (fabs(x) > 22) return copysign(1.0, x);
  const scaled_pair q = expm1_scaled(2 * fabs(x));
  return copysign((q.value / (q.value + power_of_two(1 - q.exponent))).hi, x);
}

/// artanh(s) = s (1 + s^2/3 + s^4/5 + ...) for |s| < 0.172.
ETCH_HOST_DEVICE constexpr pair artanh_series(const pair& s) {
  const pair z = s * s;
  double tail = 0;
  for (int n = 29; n >= 7; n -= 2) tail = z.hi * tail + 1.0 / n;
  pair sum = {tail, 0};
  for (int n = 5; n >= 1; n -= 2) sum = z * sum + pair{1, 0} / n;
  return s * sum;
}

/// log(x) for finite x > 0: log(m) + e log(2), where x = m 2^e with sqrt(1/2) < m < sqrt(2). log(m) = 2 artanh(s) with
/// s = (m - 1) / (m + 1).
ETCH_HOST_DEVICE constexpr pair log_pair(const pair& x) {
  scientific m = decompose(x.hi);
  if (m.mantissa > 1.4142135623730951) {
    m.mantissa /= 2;
    m.exponent += 1;
  }
  const double lower = ldexp(x.lo, -m.exponent);
  const pair half = artanh_series((two_sum(m.mantissa, -1) + lower) / (two_sum(m.mantissa, 1) + lower));
  return pair{m.exponent * log_2_upper, 0} + (two_product(m.exponent, log_2_lower) + pair{2 * half.hi, 2 * half.lo});
}

/// log(x) / log(base); exact for powers of the base, whose logarithms' pairs have that ratio.
ETCH_HOST_DEVICE constexpr double log_to_base(double x, const pair& log_of_base) {
  if (is_nan(x) || x == infinity) return x;
  if (x <= 0) return x == 0 ? -infinity : quiet_nan;
  return (log_pair({x, 0}) / log_of_base).hi;
}
ETCH_HOST_DEVICE constexpr double log2(double x) { return log_to_base(x, log_of_2()); }
ETCH_HOST_DEVICE constexpr double log10(double x) { return log_to_base(x, log_of_10()); }

ETCH_HOST_DEVICE constexpr double log(double x) {
  if (is_nan(x) || x == infinity) return x;
  if (x <= 0) return x == 0 ? -infinity : quiet_nan;
  return log_pair({x, 0}).hi;
}

ETCH_HOST_DEVICE constexpr double log1p(double x) {
  if (is_nan(x) || x == infinity || fabs(x) < 0x1p-54) return x;
  if (x <= -1) return x == -1 ? -infinity : quiet_nan;
  return log_pair(two_sum(x, 1)).hi;
}

/// exp(y log|x|); the special cases are those of ISO C, F.10.4.4.
ETCH_HOST_DEVICE constexpr double pow(double x, double y) {
  if (!is_nan(y) && y == 0) return 1;
  if (is_nan(x)) return x;
  if (x == 1) return 1;
  if (is_nan(y)) return y;
  const double size = fabs(x);
  const bool integer = trunc(y) == y;
  const bool odd = integer && fabs(y) < 0x1p53 && static_cast<std::int64_t>(y) % 2 != 0;
  if (x < 0 && size != infinity && !integer) return quiet_nan;
  const double sign = is_negative(x) && odd ? -1.0 : 1.0;
  if (size == 1) return sign;
  // now log|x| is at least 2^-53 in size: the power of a |y| above 2^70 is 0 or infinite
  if (size == 0 || size == infinity || fabs(y) > 0x1p70) return (size > 1) == (y > 0) ? sign * infinity : sign * 0.0;
  if (fabs(y) < 0x1p-65) return sign;  // log|x| is below 2^10
  const pair logarithm = log_pair({size, 0});
  const pair product = two_product(y, logarithm.hi);
  return sign * exp(ordered_two_sum(product.hi, product.lo + y * logarithm.lo));
}

}  // namespace etch::constant_math
