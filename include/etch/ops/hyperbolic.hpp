// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/exponential.hpp>

/// Hyperbolic functions and their inverses, and the other S-shaped functions.
namespace etch {

struct sinh;
struct cosh;

/// (exp(x) - exp(-x)) / 2.
inline constexpr struct sinh : detail::floating_unary<struct sinh, 20> {
  ETCH_KERNEL_OF_ONE(sinh)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} sinh;

/// (exp(x) + exp(-x)) / 2.
inline constexpr struct cosh : detail::floating_unary<struct cosh, 20> {
  ETCH_KERNEL_OF_ONE(cosh)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} cosh;

template <class V>
constexpr void sinh::vjp(const gradient_rule<V>& r) {
  r.dx[0] = r.dy * cosh(r.x[0]);
}
template <class V>
constexpr void cosh::vjp(const gradient_rule<V>& r) {
  r.dx[0] = r.dy * sinh(r.x[0]);
}

/// The number whose sinh is x. Its gradient is 1 / hypot(x, 1), for x * x may overflow.
inline constexpr struct asinh : detail::floating_unary<struct asinh, 25> {
  ETCH_KERNEL_OF_ONE(asinh)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy / hypot(r.x[0], 1_c);
  }
} asinh;

/// The number from 0 on whose cosh is x; NaN for x < 1. The gradient at 1 is inf.
inline constexpr struct acosh : detail::floating_unary<struct acosh, 25> {
  ETCH_KERNEL_OF_ONE(acosh)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * rsqrt(r.x[0] - 1_c) * rsqrt(r.x[0] + 1_c);
  }
} acosh;

/// The number whose tanh is x: atanh(1) = inf, NaN for |x| > 1. The gradient at -1 and 1 is inf.
inline constexpr struct atanh : detail::floating_unary<struct atanh, 25> {
  ETCH_KERNEL_OF_ONE(atanh)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy / ((1_c - r.x[0]) * (1_c + r.x[0]));
  }
} atanh;

/// The hyperbolic tangent: -1 to 1.
inline constexpr struct tanh : detail::floating_unary<struct tanh, 15> {
  ETCH_KERNEL_OF_ONE(tanh)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * (1_c - r.y * r.y);
  }
} tanh;

/// 1 / (1 + exp(-x)): 0 to 1, without overflow for large |x|.
inline constexpr struct sigmoid : detail::floating_unary<struct sigmoid, 12> {
  ETCH_KERNEL_OF_ONE(sigmoid)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * r.y * (1_c - r.y);
  }
} sigmoid;

/// The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
inline constexpr struct erf : detail::floating_unary<struct erf, 20> {
  ETCH_KERNEL_OF_ONE(erf)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = 1.1283791670955126_c * r.dy * exp(-(r.x[0] * r.x[0]));
  }
} erf;

}  // namespace etch
