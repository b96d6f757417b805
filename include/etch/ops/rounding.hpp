// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/comparison.hpp>

/// Sign, size and rounding; the larger and the smaller of two.
namespace etch {

/// -1, 0 or 1; NaN stays NaN. The gradient is zero everywhere.
inline constexpr struct sign : elementwise<struct sign, 1> {
  ETCH_KERNEL_OF_ONE(sign)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>&) {}
} sign;

/// |x|. The gradient at 0 is 0.
inline constexpr struct abs : elementwise<struct abs, 1> {
  ETCH_KERNEL_OF_ONE(abs)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy * sign(r.x[0]);
  }
} abs;

namespace detail {
/// Piecewise constant: the gradient is zero everywhere.
template <class Op>
struct rounding : elementwise<Op, 1> {
  static constexpr dtype_set accepts = dtype_set::floating;
  template <class V>
  static constexpr void vjp(const gradient_rule<V>&) {}
};
}  // namespace detail

/// The largest integer not above x.
inline constexpr struct floor : detail::rounding<struct floor>{ETCH_KERNEL_OF_ONE(floor)} floor;

/// The smallest integer not below x.
inline constexpr struct ceil : detail::rounding<struct ceil>{ETCH_KERNEL_OF_ONE(ceil)} ceil;

/// The nearest integer; halves go to the even one.
inline constexpr struct round : detail::rounding<struct round>{ETCH_KERNEL_OF_ONE(round)} round;

/// x without its fraction: the nearest integer not farther from 0.
inline constexpr struct trunc : detail::rounding<struct trunc>{ETCH_KERNEL_OF_ONE(trunc)} trunc;

#define ETCH_EXTREME_OF_TWO(NAME, FIRST)                                 \
  inline constexpr struct NAME : elementwise<struct NAME, 2> {           \
    static constexpr const char* name = #NAME;                           \
    static constexpr slope_kind slope = slope_kind::fixed;               \
    static constexpr bool commutative = true;                            \
    template <class V>                                                   \
    ETCH_HOST_DEVICE static constexpr V kernel(const V& a, const V& b) { \
      return math::NAME(a, b);                                           \
    }                                                                    \
    template <class V>                                                   \
    static constexpr void vjp(const gradient_rule<V>& r) {               \
      const V first = FIRST;                                             \
      r.dx[0] = where(first, r.dy, 0_c);                                 \
      r.dx[1] = where(first, 0_c, r.dy);                                 \
    }                                                                    \
  } NAME;
/// The larger of a and b; NaN if either is, and -0 is below 0 (IEEE 754-2019). Where they are equal, b gets the gradient (so that of
/// relu at 0 is 0).
ETCH_EXTREME_OF_TWO(maximum, r.x[0] > r.x[1])
/// The smaller of a and b; NaN if either is, and -0 is below 0 (IEEE 754-2019). Where they are equal, b gets the gradient (so that of
/// relu at 0 is 0).
ETCH_EXTREME_OF_TWO(minimum, r.x[0] < r.x[1])
#undef ETCH_EXTREME_OF_TWO

/// x limited to [low, high]; NaN stays NaN. At a bound, as beyond it, the gradient goes to the bound: that of x is 0.
template <operand_like X, class Low, class High>
constexpr auto clip(X x, Low low, High high) {
  if constexpr (!detail::takes_operands<"clip", X, Low, High>() ||
                !detail::takes_dtypes<"clip", dtype_set::numeric, X, Low, High>() ||
                !detail::takes_shapes<"clip", false, X, Low, High>())
    return x;
  else
    return minimum(maximum(x, low), high);
}
ETCH_REFUSE_CALLS(clip, this_call_has_the_wrong_number_of_operands, "clip($, low, high)")

}  // namespace etch
