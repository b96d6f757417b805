// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/exponential.hpp>

/// Trigonometric functions and their inverses.
namespace etch {

struct sin;
struct cos;

/// The sine of x radians. sin(inf) is NaN.
inline constexpr struct sin : detail::floating_unary<struct sin, 15> {
  ETCH_KERNEL_OF_ONE(sin)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} sin;

/// The cosine of x radians. cos(inf) is NaN.
inline constexpr struct cos : detail::floating_unary<struct cos, 15> {
  ETCH_KERNEL_OF_ONE(cos)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} cos;

template <class V>
constexpr void sin::vjp(const gradient_rule<V>& r) {
  r.dx[0] = r.dy * cos(r.x[0]);
}
template <class V>
constexpr void cos::vjp(const gradient_rule<V>& r) {
  r.dx[0] = -(r.dy * sin(r.x[0]));
}

/// The tangent of x radians. tan(inf) is NaN.
inline constexpr struct tan : detail::floating_unary<struct tan, 30> {
  ETCH_KERNEL_OF_ONE(tan)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * (1_c + r.y * r.y);
  }
} tan;

/// The angle from -pi/2 to pi/2 whose sine is x; NaN for |x| > 1. The gradient at -1 and 1 is inf.
inline constexpr struct asin : detail::floating_unary<struct asin, 20> {
  ETCH_KERNEL_OF_ONE(asin)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * rsqrt((1_c - r.x[0]) * (1_c + r.x[0]));
  }
} asin;

/// The angle from 0 to pi whose cosine is x; NaN for |x| > 1. The gradient at -1 and 1 is -inf.
inline constexpr struct acos : detail::floating_unary<struct acos, 20> {
  ETCH_KERNEL_OF_ONE(acos)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = -(r.dy * rsqrt((1_c - r.x[0]) * (1_c + r.x[0])));
  }
} acos;

/// The angle from -pi/2 to pi/2 whose tangent is x.
inline constexpr struct atan : detail::floating_unary<struct atan, 25> {
  ETCH_KERNEL_OF_ONE(atan)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy / (1_c + r.x[0] * r.x[0]);
  }
} atan;

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
