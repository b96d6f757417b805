// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/pair.hpp>
#include <etch/base/constant_math/rounding.hpp>

namespace etch::constant_math {

/// The square root of a sum of two, by one of Newton's steps: (x - y^2) / (2 y) after the rounded root y.
ETCH_HOST_DEVICE constexpr pair sqrt_pair(const pair& x) {
  if (x.hi == 0) return x;
  const double y = sqrt(x.hi);
  const pair square = two_product(y, y);
  return ordered_two_sum(y, (((x.hi - square.hi) - square.lo) + x.lo) / (2 * y));
}

/// 2^k times the root of m, 1 <= m < 8. Newton's steps double the digits of a line within 13 %; the last one adds a
/// difference that is computed in pairs.
ETCH_HOST_DEVICE constexpr double cbrt(double x) {
  if (is_nan(x) || x == 0 || fabs(x) == infinity) return x;
  const scientific s = decompose(fabs(x));
  const int k = (s.exponent + 1200) / 3 - 400;
  const double m = ldexp(s.mantissa, s.exponent - 3 * k);
  double y = 0.8 + 0.16 * m;
  for (int step = 0; step < 5; ++step) y -= (y - m / (y * y)) / 3;
  const pair cube = two_product(y, y) * pair{y, 0};
  return copysign(ldexp(y + ((m - cube.hi) - cube.lo) / (3 * y * y), k), x);
}

/// Of numbers scaled by the exponent of the larger one; infinite where a number is, also beside a NaN.
ETCH_HOST_DEVICE constexpr double hypot(double x, double y) {
  if (fabs(x) == infinity || fabs(y) == infinity) return infinity;
  if (is_nan(x)) return x;
  if (is_nan(y)) return y;
  const double longer = fabs(x) > fabs(y) ? fabs(x) : fabs(y), shorter = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
  if (shorter == 0) return longer;
  const int n = decompose(longer).exponent;
  if (n - decompose(shorter).exponent > 60) return longer;
  const double a = ldexp(longer, -n), b = ldexp(shorter, -n);
  return round_scaled(sqrt_pair(two_product(a, a) + two_product(b, b)), n);
}

}  // namespace etch::constant_math
