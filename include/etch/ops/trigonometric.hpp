// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/exponential.hpp>

/// Sine and cosine, and the S-shaped functions.
namespace etch {

struct sin;
struct cos;

/// The sine of x radians. sin(inf) is NaN.
inline constexpr struct sin : detail::floating_unary<struct sin, 15> {
  static constexpr const char* name = "sin";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return math::sin(x);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} sin;

/// The cosine of x radians. cos(inf) is NaN.
inline constexpr struct cos : detail::floating_unary<struct cos, 15> {
  static constexpr const char* name = "cos";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return math::cos(x);
  }
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

/// The hyperbolic tangent: -1 to 1.
inline constexpr struct tanh : detail::floating_unary<struct tanh, 15> {
  static constexpr const char* name = "tanh";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return math::tanh(x);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * (1_c - r.y * r.y);
  }
} tanh;

/// 1 / (1 + exp(-x)): 0 to 1, without overflow for large |x|.
inline constexpr struct sigmoid : detail::floating_unary<struct sigmoid, 12> {
  static constexpr const char* name = "sigmoid";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return math::sigmoid(x);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * r.y * (1_c - r.y);
  }
} sigmoid;

/// The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
inline constexpr struct erf : detail::floating_unary<struct erf, 20> {
  static constexpr const char* name = "erf";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return math::erf(x);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = 1.1283791670955126_c * r.dy * exp(-(r.x[0] * r.x[0]));
  }
} erf;

}  // namespace etch
