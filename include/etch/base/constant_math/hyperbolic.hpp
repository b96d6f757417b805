// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/exponential.hpp>
#include <etch/base/constant_math/roots.hpp>

/// sinh, cosh and the inverses; tanh is with the exponentials.
namespace etch::constant_math {

/// exp(x) / 2, which is both of sinh and cosh from 24 on.
ETCH_HOST_DEVICE constexpr double half_exponential(double x) {
  if (x > 711) return infinity;
  const scaled_pair r = reduce_exponential({x, 0});
  return round_scaled(r.value + 1, r.exponent - 1);
}

/// With q = exp(|x|) - 1: (q + q / (q + 1)) / 2.
ETCH_HOST_DEVICE constexpr double sinh(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-28) return x;
  if (fabs(x) > 24) return copysign(half_exponential(fabs(x)), x);
  const scaled_pair scaled = expm1_scaled(fabs(x));
  const double power = power_of_two(scaled.exponent);
  const pair q = {scaled.value.hi * power, scaled.value.lo * power};
  return copysign(0.5 * (q + q / (q + 1)).hi, x);
}

/// With e = exp(|x|): (e + 1 / e) / 2.
ETCH_HOST_DEVICE constexpr double cosh(double x) {
  if (is_nan(x)) return x;
  if (fabs(x) < 0x1p-28) return 1;
  if (fabs(x) > 24) return half_exponential(fabs(x));
  const scaled_pair scaled = reduce_exponential({fabs(x), 0});
  const double power = power_of_two(scaled.exponent);
  const pair value = scaled.value + 1, e = {value.hi * power, value.lo * power};
  return 0.5 * (e + pair{1, 0} / e).hi;
}

/// artanh(x / sqrt(1 + x^2)) where x is small, else log(x + sqrt(x^2 + 1)).
ETCH_HOST_DEVICE constexpr double asinh(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-28 || fabs(x) == infinity) return x;
  const double a = fabs(x);
  if (a > 0x1p30) return copysign((log_pair({a, 0}) + log_of_2()).hi, x);
  const pair root = sqrt_pair(two_product(a, a) + 1);
  return copysign((a < 0.17 ? artanh_series(pair{a, 0} / root) : log_pair(root + a)).hi, x);
}

/// 2 artanh(sqrt((x - 1) / (x + 1))) near 1, else log(x + sqrt(x^2 - 1)).
ETCH_HOST_DEVICE constexpr double acosh(double x) {
  if (is_nan(x) || x == infinity) return x;
  if (x < 1) return quiet_nan;
  if (x > 0x1p30) return (log_pair({x, 0}) + log_of_2()).hi;
  if (x < 1.05) return 2 * artanh_series(sqrt_pair(pair{x - 1, 0} / two_sum(x, 1))).hi;
  return log_pair(sqrt_pair(two_product(x, x) + -1.0) + x).hi;
}

/// log((1 + |x|) / (1 - |x|)) / 2, its series where x is small.
ETCH_HOST_DEVICE constexpr double atanh(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-28) return x;
  const double a = fabs(x);
  if (a >= 1) return a == 1 ? copysign(infinity, x) : quiet_nan;
  if (a < 0.17) return artanh_series({x, 0}).hi;
  return copysign(0.5 * log_pair(two_sum(1, a) / two_sum(1, -a)).hi, x);
}

}  // namespace etch::constant_math
