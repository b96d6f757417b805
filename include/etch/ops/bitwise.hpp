// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/arithmetic.hpp>

/// The bits of integers. A bool is one bit; shifts are of numbers only. There is no gradient.
namespace etch {

namespace detail {
template <class Op, int Arity>
struct bitwise : elementwise<Op, Arity> {
  static constexpr dtype_set accepts = dtype_set::discrete;
  static constexpr bool differentiable = false;
};
}  // namespace detail

/// The bits that both a and b have; of bools: a and b. Also `a & b`.
inline constexpr struct bitwise_and : detail::bitwise<struct bitwise_and, 2> {
  ETCH_KERNEL_OF_TWO(bitwise_and)
  static constexpr bool commutative = true;
} bitwise_and;

/// The bits that a or b has; of bools: a or b. Also `a | b`.
inline constexpr struct bitwise_or : detail::bitwise<struct bitwise_or, 2> {
  ETCH_KERNEL_OF_TWO(bitwise_or)
  static constexpr bool commutative = true;
  static constexpr neutral left = 0, right = 0;
} bitwise_or;

/// The bits that one of a and b has; of bools: a != b. Also `a ^ b`.
inline constexpr struct bitwise_xor : detail::bitwise<struct bitwise_xor, 2> {
  ETCH_KERNEL_OF_TWO(bitwise_xor)
  static constexpr bool commutative = true;
  static constexpr neutral left = 0, right = 0;
} bitwise_xor;

/// The bits that x has not: -1 - x of a signed integer, 255 - x of a byte; of a bool: not x. Also `~x`.
inline constexpr struct bitwise_not : detail::bitwise<struct bitwise_not, 1> {
  ETCH_KERNEL_OF_ONE(bitwise_not)
  static constexpr bool involution = true;
} bitwise_not;

/// a 2^b, modulo 2 to the power of the width in bits. As in NumPy, a count b that is negative or not below the width gives
/// 0. Also `a << b`.
inline constexpr struct left_shift : detail::bitwise<struct left_shift, 2> {
  ETCH_KERNEL_OF_TWO(left_shift)
  static constexpr neutral right = 0;
  static constexpr dtype_set accepts = dtype_set::integer;
} left_shift;

/// The largest integer not above a / 2^b. As in NumPy, a count b that is negative or not below the width in bits gives 0,
/// or -1 where a is negative. Also `a >> b`.
inline constexpr struct right_shift : detail::bitwise<struct right_shift, 2> {
  ETCH_KERNEL_OF_TWO(right_shift)
  static constexpr neutral right = 0;
  static constexpr dtype_set accepts = dtype_set::integer;
} right_shift;

ETCH_BINARY_OPERATOR(&, bitwise_and)
ETCH_BINARY_OPERATOR(|, bitwise_or)
ETCH_BINARY_OPERATOR(^, bitwise_xor)

namespace detail {
/// What of ours may stand left of a shift. A stream may stand there as well, and of one that is only declared nothing may ask
/// for its bases, as `operand_like` does.
template <class A>
concept left_of_shift = std::is_arithmetic_v<A> || handle<A> || std::is_convertible_v<A*, const expression_base*> ||
                        std::is_convertible_v<A*, const tensor_base*>;
}  // namespace detail

#define ETCH_SHIFT_OPERATOR(SYMBOL, OP)                                                        \
  template <class A, class B>                                                                  \
    requires(detail::left_of_shift<A> && detail::operator_operands<A, B> && !any_handle<A, B>) \
  constexpr auto operator SYMBOL(A a, B b) {                                                   \
    return OP(a, b);                                                                           \
  }                                                                                            \
  template <class A, class B>                                                                  \
    requires(detail::left_of_shift<A> && detail::operator_operands<A, B>)                      \
  constexpr handle_among<A, B> operator SYMBOL(A a, B b) {                                     \
    return OP(a, b);                                                                           \
  }
ETCH_SHIFT_OPERATOR(<<, left_shift)
ETCH_SHIFT_OPERATOR(>>, right_shift)
#undef ETCH_SHIFT_OPERATOR

template <operand_like A>
  requires(!any_handle<A>)
constexpr auto operator~(A a) {
  return bitwise_not(a);
}
template <handle V>
constexpr V operator~(V a) {
  return bitwise_not(a);
}

}  // namespace etch
