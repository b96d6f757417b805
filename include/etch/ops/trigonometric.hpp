// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/exponential.hpp>

/// Trigonometric functions and their inverses.
namespace etch {

struct cos;

/// The sine of x radians. sin(inf) is NaN.
ETCH_FLOATING_UNARY(sin, 15, (r.dy * emit<struct cos>(words(), r.x[0])))

/// The cosine of x radians. cos(inf) is NaN.
ETCH_FLOATING_UNARY(cos, 15, (-(r.dy * sin(r.x[0]))))

/// The tangent of x radians. tan(inf) is NaN.
ETCH_FLOATING_UNARY(tan, 30, (r.dy * (1_c + r.y * r.y)))

/// The angle from -pi/2 to pi/2 whose sine is x; NaN for |x| > 1. The gradient at -1 and 1 is inf.
ETCH_FLOATING_UNARY(asin, 20, (r.dy * rsqrt((1_c - r.x[0]) * (1_c + r.x[0]))))

/// The angle from 0 to pi whose cosine is x; NaN for |x| > 1. The gradient at -1 and 1 is -inf.
ETCH_FLOATING_UNARY(acos, 20, (-(r.dy * rsqrt((1_c - r.x[0]) * (1_c + r.x[0])))))

/// The angle from -pi/2 to pi/2 whose tangent is x.
ETCH_FLOATING_UNARY(atan, 25, (r.dy / (1_c + r.x[0] * r.x[0])))

/// The angle of the point (b, a) from the positive b axis: -pi to pi. It has the special cases of C, atan2(0, -0) = pi among them.
/// The gradient at (0, 0) is 0.
inline constexpr struct atan2 : elementwise<struct atan2, 2> {
  ETCH_KERNEL_OF_TWO(atan2)
  static constexpr dtype_set accepts = dtype_set::floating;
  static constexpr int cost = 30;
  /// b / (a^2 + b^2) and -a / (a^2 + b^2), divided twice by the distance from the origin, for its square may overflow.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    const V distance = hypot(r.x[0], r.x[1]);
    const V length = where(distance == 0_c, 1_c, distance);
    const V scaled = r.dy / length;
    r.dx[0] = scaled * (r.x[1] / length);
    r.dx[1] = -(scaled * (r.x[0] / length));
  }
} atan2;

}  // namespace etch
