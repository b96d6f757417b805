// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/comparison.hpp>

/// Powers, roots, exponentials and logarithms of floats.
namespace etch {

namespace detail {
template <class Op, int Cost>
struct floating_unary : elementwise<Op, 1> {
  static constexpr dtype_set accepts = dtype_set::floating;
  static constexpr int cost = Cost;
};
}  // namespace detail

/// Defines an op of one float that is a function of `math`: its name, its flops, and its adjoint in terms of a gradient_rule `r`.
#define ETCH_FLOATING_UNARY(NAME, COST, ADJOINT)                             \
  inline constexpr struct NAME : detail::floating_unary<struct NAME, COST> { \
    ETCH_KERNEL_OF_ONE(NAME)                                                 \
    template <class V>                                                       \
    static constexpr void vjp(const gradient_rule<V>& r) {                   \
      r.dx[0] = ADJOINT;                                                     \
    }                                                                        \
  } NAME;

/// e to the power of x. exp(-inf) = 0, exp(inf) = inf.
ETCH_FLOATING_UNARY(exp, 10, (r.dy * r.y))

/// 2 to the power of x; exact for integers.
ETCH_FLOATING_UNARY(exp2, 10, (0.6931471805599453_c * r.dy * r.y))

/// exp(x) - 1 without cancellation near 0.
ETCH_FLOATING_UNARY(expm1, 10, (r.dy * (r.y + 1_c)))

/// The natural logarithm. log(0) = -inf, log of a negative number is NaN.
ETCH_FLOATING_UNARY(log, 10, (r.dy / r.x[0]))

/// The logarithm to the base 2; exact for powers of 2. log2(0) = -inf, of a negative number NaN.
ETCH_FLOATING_UNARY(log2, 10, (1.4426950408889634_c * r.dy / r.x[0]))

/// The logarithm to the base 10; exact for powers of 10. log10(0) = -inf, of a negative number NaN.
ETCH_FLOATING_UNARY(log10, 10, (0.4342944819032518_c * r.dy / r.x[0]))

/// log(1 + x) without cancellation near 0. log1p(-1) = -inf.
ETCH_FLOATING_UNARY(log1p, 10, (r.dy / (r.x[0] + 1_c)))

/// The square root. sqrt(-0) = -0; of a negative number NaN.
ETCH_FLOATING_UNARY(sqrt, 4, (0.5_c * r.dy / r.y))

/// 1 / sqrt(x) at full precision. rsqrt(0) = inf.
ETCH_FLOATING_UNARY(rsqrt, 8, (-0.5_c * r.dy * r.y / r.x[0]))

/// The cube root, also of negative numbers. The gradient at 0 is inf, as the slope is.
ETCH_FLOATING_UNARY(cbrt, 20, (r.dy / (3_c * r.y * r.y)))

/// sqrt(a * a + b * b) without overflow of the squares; inf where an operand is infinite, also beside a NaN. The gradient
/// at (0, 0) is 0.
inline constexpr struct hypot : elementwise<struct hypot, 2> {
  ETCH_KERNEL_OF_TWO(hypot)
  static constexpr dtype_set accepts = dtype_set::floating;
  static constexpr bool commutative = true;
  static constexpr int cost = 8;
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    const V length = where(r.y == 0_c, 1_c, r.y);
    r.dx[0] = r.dy * (r.x[0] / length);
    r.dx[1] = r.dy * (r.x[1] / length);
  }
} hypot;

/// a to the power of b. pow(x, 0) = 1 for every x; a negative float base has a real power only for integers, else NaN;
/// an integer base with a negative exponent gives 0 (1 and -1 excepted).
inline constexpr struct pow : elementwise<struct pow, 2> {
  static constexpr const char* name = "pow";
  static constexpr neutral right = 1;
  static constexpr bool has_simpler_forms = true;
  /// x * x, 1 / x, 1.
  template <class V>
  static constexpr V simpler(const rewriting<V>& r);
  static constexpr int cost = 20;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& a, const V& b) {
    return math::pow(a, b);
  }
  /// d/da = b a^(b-1); d/db = y log a, where that is 0 times infinite 0: at a = 0 for b > 0, at a = inf for b < 0. At a = 0 and b =
  /// 0 it is 0, as for every b > 0. Where b = 0 the first is 0 for every a, and not clamped there, since its own derivative by b is
  /// 1/a: where that is no number (0, NaN) or beyond 1e18, a counts as 1.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} pow;

template <class V>
constexpr V pow::simpler(const rewriting<V>& r) {
  if (is_constant(r.x[1], 2)) return r.x[0] * r.x[0];
  if (is_constant(r.x[1], -1) && is_floating(r.type.type)) return 1_c / r.x[0];
  if (is_constant(r.x[1], 0)) return filled(r.x[0], r.type, 1);
  return {};
}
template <class V>
constexpr void pow::vjp(const gradient_rule<V>& r) {
  const V base = where(logical_or(r.x[1] != 0_c, r.x[0] * r.x[0] >= 1e-36_c), r.x[0], 1_c);
  r.dx[0] = r.dy * r.x[1] * etch::pow(base, r.x[1] - 1_c);
  constexpr auto infinite = literal<std::numeric_limits<double>::infinity()>;
  const V flat = logical_or(logical_and(r.x[0] == 0_c, r.x[1] >= 0_c), logical_and(r.x[0] == infinite, r.x[1] < 0_c));
  r.dx[1] = r.dy * r.y * log(where(flat, 1_c, r.x[0]));
}

/// x * x.
template <operand_like X>
constexpr auto square(X x) {
  if constexpr (!detail::takes_dtypes<"square", dtype_set::numeric, X>())
    return x;
  else
    return x * x;
}
ETCH_REFUSE_CALLS(square, this_call_has_the_wrong_arguments, "square($)")

}  // namespace etch
