// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/conversion.hpp>

/// + - * / and their named forms. Operands broadcast and meet in their common dtype.
namespace etch {

/// a + b.
inline constexpr struct add : elementwise<struct add, 2> {
  static constexpr const char* name = "add";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr bool commutative = true;
  static constexpr neutral left = -0.0, right = -0.0;
  static constexpr bool has_simpler_forms = true;
  template <class V>
  static constexpr V simpler(const rewriting<V>& r);
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& a, const V& b) {
    return math::add(a, b);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy;
    r.dx[1] = r.dy;
  }
} add;

/// a - b.
inline constexpr struct subtract : elementwise<struct subtract, 2> {
  static constexpr const char* name = "subtract";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr neutral right = 0.0;
  static constexpr bool has_simpler_forms = true;
  template <class V>
  static constexpr V simpler(const rewriting<V>& r);
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& a, const V& b) {
    return math::subtract(a, b);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} subtract;

/// a * b.
inline constexpr struct multiply : elementwise<struct multiply, 2> {
  ETCH_KERNEL_OF_TWO(multiply)
  static constexpr bool commutative = true;
  static constexpr neutral left = 1, right = 1;
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} multiply;

/// a / b of floats. Integers are refused: `cast` first, or use `floor_divide`.
inline constexpr struct divide : elementwise<struct divide, 2> {
  static constexpr const char* name = "divide";
  static constexpr neutral right = 1;
  static constexpr dtype_set accepts = dtype_set::floating;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& a, const V& b) {
    return V(a / b);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} divide;

/// -x.
inline constexpr struct negative : elementwise<struct negative, 1> {
  ETCH_KERNEL_OF_ONE(negative)
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr bool involution = true;
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} negative;

/// The largest integer not above a / b; integers divided by 0 give 0. No gradient: it is constant almost everywhere.
inline constexpr struct floor_divide : elementwise<struct floor_divide, 2> {
  ETCH_KERNEL_OF_TWO(floor_divide)
  static constexpr bool differentiable = false;
} floor_divide;

/// a - b * floor(a / b): has the sign of b, as in Python. Integers: the remainder by 0 is 0.
inline constexpr struct remainder : elementwise<struct remainder, 2> {
  ETCH_KERNEL_OF_TWO(remainder)
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} remainder;

namespace detail {
/// What may stand beside an operand of ours to be refused by `call`: texts and containers, but not xtensor's arrays, whose own
/// operators would be as good.
template <class A>
concept refused_operand = std::is_pointer_v<A> || (requires(const A& a) {
  a.begin();
  a.size();
} && !requires(const A& a) { a.dimension(); });

template <class A>
concept beside_operand = operand_like<A> || std::is_arithmetic_v<A> || refused_operand<A>;

/// An operator of ours has at least one operand of ours; what stands beside it is checked by `call`.
template <class A, class B>
concept operator_operands = (operand_like<A> || operand_like<B>) && beside_operand<A> && beside_operand<B>;
}  // namespace detail

/// Defines an operator as a call of an op: for handles, and for all else.
#define ETCH_BINARY_OPERATOR(SYMBOL, OP)                           \
  template <class A, class B>                                      \
    requires(detail::operator_operands<A, B> && !any_handle<A, B>) \
  constexpr auto operator SYMBOL(const A& a, const B& b) {         \
    return OP(a, b);                                               \
  }                                                                \
  template <class A, class B>                                      \
    requires detail::operator_operands<A, B>                       \
  constexpr handle_among<A, B> operator SYMBOL(A a, B b) {         \
    return OP(a, b);                                               \
  }
ETCH_BINARY_OPERATOR(+, add)
ETCH_BINARY_OPERATOR(-, subtract)
ETCH_BINARY_OPERATOR(*, multiply)
ETCH_BINARY_OPERATOR(/, divide)
ETCH_BINARY_OPERATOR(%, remainder)

template <operand_like A>
  requires(!any_handle<A>)
constexpr auto operator-(A a) {
  return negative(a);
}
template <handle V>
constexpr V operator-(V a) {
  return negative(a);
}

template <class V>
constexpr void subtract::vjp(const gradient_rule<V>& r) {
  r.dx[0] = r.dy;
  r.dx[1] = -r.dy;
}
template <class V>
constexpr void multiply::vjp(const gradient_rule<V>& r) {
  r.dx[0] = r.dy * r.x[1];
  r.dx[1] = r.dy * r.x[0];
}
template <class V>
constexpr void divide::vjp(const gradient_rule<V>& r) {
  r.dx[0] = r.dy / r.x[1];
  r.dx[1] = -(r.dx[0] * r.y);
}
template <class V>
constexpr void negative::vjp(const gradient_rule<V>& r) {
  r.dx[0] = -r.dy;
}
template <class V>
constexpr void remainder::vjp(const gradient_rule<V>& r) {
  r.dx[0] = r.dy;
  r.dx[1] = -(r.dy * stop_gradient(floor_divide(r.x[0], r.x[1])));  // constant almost everywhere
}

template <class V>
constexpr V add::simpler(const rewriting<V>& r) {
  // What has had 0 added is not -0 any more: to add it once more changes nothing.
  for (int k = 0; k < 2; ++k) {
    if (!is_constant(r.x[k], 0)) continue;
    for (int j = 0; j < 2; ++j) {
      const V before = operand_of<struct add>(r.x[1 - k], j);
      if (before.valid() && is_constant(before, 0)) return r.x[1 - k];
    }
  }
  const V subtracted = operand_of<struct negative>(r.x[1], 0);
  return subtracted.valid() ? etch::subtract(r.x[0], subtracted) : V{};
}
template <class V>
constexpr V subtract::simpler(const rewriting<V>& r) {
  const V added = operand_of<struct negative>(r.x[1], 0);
  return added.valid() ? etch::add(r.x[0], added) : V{};
}

}  // namespace etch
