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

/// Those that are defined in (0, 1), and those that are above 1.
template <class... Op>
constexpr auto below_one(ops<Op...>) {
  return (ops<>{} + ... + [] {
    if constexpr (std::is_same_v<Op, struct etch::acosh>)
      return ops<>{};
    else
      return ops<Op>{};
  }());
}
template <class... Op>
constexpr auto above_one(ops<Op...>) {
  return (ops<>{} + ... + [] {
    if constexpr (std::is_same_v<Op, struct etch::asin> || std::is_same_v<Op, struct etch::acos> ||
                  std::is_same_v<Op, struct etch::atanh>)
      return ops<>{};
    else
      return ops<Op>{};
  }());
}

}  // namespace laws
