// SPDX-License-Identifier: MIT
#pragma once
#include <etch/etch.hpp>

/// The elementwise ops that have gradients, by the numbers they are defined on.
namespace laws {

template <class... Op>
struct ops {};
template <class... A, class... B>
constexpr ops<A..., B...> operator+(ops<A...>, ops<B...>) {
  return {};
}

template <int Arity, class... Op>
constexpr auto differentiable(etch::op_list<Op...>) {
  const auto choose = []<class O>(ops<O>) {
    if constexpr (O::arity == Arity && O::differentiable && O::role != etch::op_role::cast && O::role != etch::op_role::barrier &&
                  contains(O::accepts, etch::dtype::float64))
      return ops<O>{};
    else
      return ops<>{};
  };
  return (ops<>{} + ... + choose(ops<Op>{}));
}
inline constexpr auto unary = differentiable<1>(etch::elementwise_ops{});
inline constexpr auto binary = differentiable<2>(etch::elementwise_ops{});

/// Of one operand, by where they are defined: above 0, or only below or above 1.
inline constexpr auto below_one = ops<struct etch::asin, struct etch::acos, struct etch::atanh>{};
inline constexpr auto above_one = ops<struct etch::acosh>{};
template <class Op, class... Listed>
constexpr auto unless_listed(ops<Listed...>) {
  if constexpr ((std::is_same_v<Op, Listed> || ...))
    return ops<>{};
  else
    return ops<Op>{};
}
template <class... Excepted, class... Op>
constexpr auto without(ops<Excepted...> excepted, ops<Op...>) {
  return (ops<>{} + ... + unless_listed<Op>(excepted));
}
inline constexpr auto above_zero = without(below_one + above_one, unary);

}  // namespace laws
