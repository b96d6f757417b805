// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/bitwise.hpp>

/// Comparisons, logic, and the choice between two values. Results are bool; there is no gradient through a bool.
namespace etch {

namespace detail {
template <class Op, int Arity>
struct predicate : elementwise<Op, Arity> {
  static constexpr dtype_set accepts = dtype_set::computed;
  static constexpr bool differentiable = false;
  static constexpr dtype result(dtype) { return dtype::boolean; }
};
/// Bools have no order.
template <class Op>
struct ordered : predicate<Op, 2> {
  static constexpr dtype_set accepts = dtype_set::numeric;
};
/// Works on masks: every operand is bool.
template <class Op, int Arity>
struct logical : predicate<Op, Arity> {
  static constexpr dtype_set accepts = dtype_set::boolean;
  static constexpr bool foldable = false;
};
}  // namespace detail

/// a == b; NaN equals nothing.
inline constexpr struct equal : detail::predicate<struct equal, 2> {
  ETCH_KERNEL_OF_TWO(equal)
  static constexpr bool commutative = true;
} equal;

/// a != b; true where either is NaN.
inline constexpr struct not_equal : detail::predicate<struct not_equal, 2> {
  ETCH_KERNEL_OF_TWO(not_equal)
  static constexpr bool commutative = true;
} not_equal;

/// a < b; false where either is NaN.
inline constexpr struct less : detail::ordered<struct less>{ETCH_KERNEL_OF_TWO(less)} less;

/// a <= b; false where either is NaN.
inline constexpr struct less_equal : detail::ordered<struct less_equal>{ETCH_KERNEL_OF_TWO(less_equal)} less_equal;

/// a > b; false where either is NaN.
inline constexpr struct greater : detail::ordered<struct greater>{ETCH_KERNEL_OF_TWO(greater)} greater;

/// a >= b; false where either is NaN.
inline constexpr struct greater_equal : detail::ordered<struct greater_equal>{ETCH_KERNEL_OF_TWO(greater_equal)} greater_equal;

/// False where x is NaN or infinite; integers and bools are finite.
inline constexpr struct isfinite : detail::predicate<struct isfinite, 1>{ETCH_KERNEL_OF_ONE(isfinite)} isfinite;

/// True where x is inf or -inf.
inline constexpr struct isinf : detail::predicate<struct isinf, 1>{ETCH_KERNEL_OF_ONE(isinf)} isinf;

/// a and b, of bools.
inline constexpr struct logical_and : detail::logical<struct logical_and, 2> {
  static constexpr const char* name = "logical_and";
  static constexpr bool commutative = true;
  static constexpr neutral left = 1, right = 1;
  template <class M>
  ETCH_HOST_DEVICE static constexpr M kernel(const M& a, const M& b) {
    return M(a && b);
  }
} logical_and;

/// a or b, of bools.
inline constexpr struct logical_or : detail::logical<struct logical_or, 2> {
  static constexpr const char* name = "logical_or";
  static constexpr bool commutative = true;
  static constexpr neutral left = 0.0, right = 0.0;
  template <class M>
  ETCH_HOST_DEVICE static constexpr M kernel(const M& a, const M& b) {
    return M(a || b);
  }
} logical_or;

/// a or b and not both, of bools.
inline constexpr struct logical_xor : detail::logical<struct logical_xor, 2> {
  static constexpr const char* name = "logical_xor";
  static constexpr bool commutative = true;
  template <class M>
  ETCH_HOST_DEVICE static constexpr M kernel(const M& a, const M& b) {
    return math::not_equal(a, b);
  }
} logical_xor;

/// not x, of a bool.
inline constexpr struct logical_not : detail::logical<struct logical_not, 1> {
  static constexpr const char* name = "logical_not";
  static constexpr bool involution = true;
  template <class M>
  ETCH_HOST_DEVICE static constexpr M kernel(const M& a) {
    return M(!a);
  }
} logical_not;

/// condition ? a : b, element by element. The gradient goes to the side that was chosen; a NaN on the other side does
/// not reach it, nor does 0 times an infinite slope there.
inline constexpr struct where : elementwise<struct where, 3> {
  static constexpr const char* name = "where";
  static constexpr slope_kind slope = slope_kind::chosen;
  static constexpr dtype_set accepts = dtype_set::computed;
  static constexpr bool foldable = false;
  template <class M, class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const M& condition, const V& a, const V& b) {
    return math::select(condition, a, b);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} where;

/// True where x is NaN.
template <operand_like X>
constexpr auto isnan(X x) {
  return not_equal(x, x);
}
template <class... A>
  requires(!std::is_arithmetic_v<A> && ...)
constexpr auto isnan(const A&... a) {
  return detail::refuse_function<this_call_has_the_wrong_arguments, "isnan", "isnan($)">(a...);
}

ETCH_BINARY_OPERATOR(==, equal)
ETCH_BINARY_OPERATOR(!=, not_equal)
ETCH_BINARY_OPERATOR(<, less)
ETCH_BINARY_OPERATOR(<=, less_equal)
ETCH_BINARY_OPERATOR(>, greater)
ETCH_BINARY_OPERATOR(>=, greater_equal)
ETCH_BINARY_OPERATOR(&&, logical_and)
ETCH_BINARY_OPERATOR(||, logical_or)
#undef ETCH_BINARY_OPERATOR

/// `run(y, x == values)`. Of other comparisons xtensor makes a function of the array, whose elements are then refused.
template <expression A, class B>
  requires(!operand_like<B> && requires(const B& b) { b.dimension(); })
constexpr auto operator==(const A& a, const B&) {
  raise<an_array_cannot_stand_in_an_expression_but_is_fed_by_one_equals_sign, in_op<struct equal>, shown<A>, got<B>>();
  return binding<A, A>{a};
}

template <operand_like A>
  requires(!any_handle<A>)
constexpr auto operator!(A a) {
  return logical_not(a);
}

template <class V>
constexpr void where::vjp(const gradient_rule<V>& r) {
  r.dx[1] = etch::where(r.x[0], r.dy, 0_c);
  r.dx[2] = etch::where(r.x[0], 0_c, r.dy);
}

}  // namespace etch
