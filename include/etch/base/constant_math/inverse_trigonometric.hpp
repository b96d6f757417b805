// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/roots.hpp>
#include <etch/base/constant_math/trigonometric.hpp>

/// The angles of points: asin, acos, atan and atan2.
namespace etch::constant_math {

ETCH_HOST_DEVICE constexpr pair pi() { return {2 * half_pi().hi, 2 * half_pi().lo}; }

/// The angle of (x, y) for 0 < y <= x, y / x > 2^-63, x and y of moderate size. It is c + atan(d), where c is an angle near
/// it, and (1, d) has the direction of (x, y) turned back by c. The first c is within 0.004, the next one, by the first two
/// terms of atan(d), within d^5 / 5 = 2^-42; there atan(d) is d.
ETCH_HOST_DEVICE constexpr pair angle_below_diagonal(const pair& y, const pair& x) {
  const double t = y.hi / x.hi;
  double c = t * (1.0584 - 0.273 * t);
  for (int step = 0;; ++step) {
    const sine_and_cosine of = of_small_angle({c, 0});
    const pair d = (y * of.cosine + -(x * of.sine)) / (x * of.cosine + y * of.sine);
    if (step == 1) return pair{c, 0} + d;
    c += d.hi - d.hi * d.hi * d.hi / 3;
  }
}

ETCH_HOST_DEVICE constexpr pair angle_in_first_quadrant(const pair& y, const pair& x) {
  return y.hi <= x.hi ? angle_below_diagonal(y, x) : half_pi() + -angle_below_diagonal(x, y);
}

/// The special cases are those of ISO C, F.10.1.4.
ETCH_HOST_DEVICE constexpr double atan2(double y, double x) {
  if (is_nan(x)) return x;
  if (is_nan(y)) return y;
  if (y == 0) return is_negative(x) ? copysign(pi().hi, y) : y;
  if (x == 0) return copysign(half_pi().hi, y);
  if (fabs(x) == infinity && fabs(y) == infinity) return copysign(x < 0 ? 0x1.2d97c7f3321d2p+1 : half_pi().hi / 2, y);
  if (fabs(y) == infinity) return copysign(half_pi().hi, y);
  if (fabs(x) == infinity) return copysign(x < 0 ? pi().hi : 0, y);
  const scientific a = decompose(fabs(y)), b = decompose(fabs(x));
  const int exponent = a.exponent - b.exponent;
  if (exponent > 60) return copysign(half_pi().hi, y);
  if (exponent < -60) return copysign(x < 0 ? pi().hi : round_scaled(pair{a.mantissa, 0} / b.mantissa, exponent), y);
  const pair angle = angle_in_first_quadrant({ldexp(a.mantissa, exponent), 0}, {b.mantissa, 0});
  return copysign(x < 0 ? (pi() + -angle).hi : angle.hi, y);
}

ETCH_HOST_DEVICE constexpr double atan(double x) { return atan2(x, 1); }

/// The other side of a right triangle with a hypotenuse of 1: sqrt(1 - x^2), |x| < 1.
ETCH_HOST_DEVICE constexpr pair other_side(double x) { return sqrt_pair(two_sum(1, x) * two_sum(1, -x)); }

ETCH_HOST_DEVICE constexpr double asin(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-27) return x;
  if (fabs(x) >= 1) return fabs(x) == 1 ? copysign(half_pi().hi, x) : quiet_nan;
  return copysign(angle_in_first_quadrant({fabs(x), 0}, other_side(x)).hi, x);
}

ETCH_HOST_DEVICE constexpr double acos(double x) {
  if (is_nan(x)) return x;
  if (fabs(x) >= 1) return x == 1 ? 0 : x == -1 ? pi().hi : quiet_nan;
  if (fabs(x) < 0x1p-60) return half_pi().hi;
  const pair angle = angle_in_first_quadrant(other_side(x), {fabs(x), 0});
  return x < 0 ? (pi() + -angle).hi : angle.hi;
}

}  // namespace etch::constant_math
