// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/exponential.hpp>

namespace etch::constant_math {

/// erf(n / 4) for 0 <= n <= 24.
ETCH_HOST_DEVICE constexpr pair erf_of_quarters(int n) {
  constexpr pair table[] = {{0, 0},
                            {0x1.1af54e232d609p-2, -0x1.bee921fa4172bp-56},
                            {0x1.0a7ef5c18edd2p-1, 0x1.5e809f1a31a28p-56},
                            {0x1.6c1c9759d0e5fp-1, 0x1.b1432f2cbc455p-55},
                            {0x1.af767a741088bp-1, -0x1.c97f778122797p-56},
                            {0x1.d8865d98abe01p-1, -0x1.fcec4afb974d9p-55},
                            {0x1.eea5557137ae0p-1, -0x1.385e445f2c96dp-55},
                            {0x1.f92d077f8d56dp-1, 0x1.8b55ef493fce7p-56},
                            {0x1.fd9ae142795e3p-1, 0x1.972801904b9a3p-56},
                            {0x1.ff404760319b4p-1, 0x1.f142071432025p-56},
                            {0x1.ffcaa8f4c9beap-1, 0x1.b0cee160116f9p-55},
                            {0x1.fff2cfb0453d9p-1, 0x1.9a913686042a3p-55},
                            {0x1.fffd1ac4135f9p-1, 0x1.eeafa1ecd6cefp-55},
                            {0x1.ffff6f9f67e55p-1, 0x1.e1e4483ba034bp-55},
                            {0x1.ffffe710d565ep-1, 0x1.c9ea52d76dc04p-55},
                            {0x1.fffffc2f171e3p-1, 0x1.85edd0395f475p-55},
                            {0x1.ffffff7b91176p-1, 0x1.0b2865615db40p-56},
                            {0x1.fffffff01a8b6p-1, 0x1.23370eca5ca6ap-60},
                            {0x1.fffffffe4fa30p-1, 0x1.d166bcb681c7bp-57},
                            {0x1.ffffffffd759dp-1, 0x1.f7bee7eb23420p-55},
                            {0x1.fffffffffc9e8p-1, -0x1.a759f7738935fp-56},
                            {0x1.ffffffffffc05p-1, 0x1.07ba96a6b2e1ap-55},
                            {0x1.fffffffffffbep-1, -0x1.182b326b228dcp-55},
                            {0x1.ffffffffffffcp-1, 0x1.8115fd1b12786p-56},
                            {0x1.0000000000000p+0, -0x1.8cf81557d20b6p-56}};
  return table[n];
}

/// Taylor's series about the quarter c next to |x|. With h = |x| - c, erf(c + h) - erf(c) is 2 / sqrt(pi) exp(-c^2)
/// times the integral of exp(-2 c t - t^2) over t from 0 to h. The coefficients of this integrand solve its
/// differential equation f' = -2 (c + t) f: (n + 1) b[n + 1] = -2 (c b[n] + b[n - 1]).
ETCH_HOST_DEVICE constexpr double erf(double x) {
  constexpr pair two_over_root_pi = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
  if (is_nan(x) || x == 0) return x;
  const double size = fabs(x);
  if (size > 5.95) return copysign(1.0, x);  // 1 - erf(x) is below 2^-54
  if (size < 0x1p-32)                        // only the first term; scaled, for the product of a small x may be subnormal
    return copysign(round_scaled(pair{ldexp(size, 200), 0} * two_over_root_pi, -200), x);

  const double quarters = round_to_even(4 * size), c = quarters / 4, h = size - c;
  double before = 0, coefficient = 1, power = h, tail = 0;
  for (int n = 1; n <= 16; ++n) {
    const double next = -2 * (c * coefficient + before) / n;
    before = coefficient;
    coefficient = next;
    power *= h;
    tail += coefficient * power / (n + 1);
  }
  const scaled_pair slope = reduce_exponential({-c * c, 0});
  const pair step = (slope.value + 1) * two_over_root_pi * two_sum(h, tail);
  const double scale = power_of_two(slope.exponent);
  const pair result = erf_of_quarters(static_cast<int>(quarters)) + pair{scale * step.hi, scale * step.lo};
  return copysign(result.hi, x);
}

}  // namespace etch::constant_math
