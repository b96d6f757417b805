// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/derived_shape.hpp>

/// The parts of matrices on either side of a diagonal.
namespace etch {

namespace detail {
/// Whether element (i, j) of the last two axes of x has j - i <= Diagonal.
template <int Diagonal, operand_like X>
constexpr auto on_or_below(X x) {
  const auto row = expand_dims(numbers_along<std::int32_t, -2>(x), axis<-1>);
  // So that neither sum wraps.
  if constexpr (Diagonal > 0)
    return row >= numbers_along<std::int32_t, -1>(x) - literal<Diagonal>;
  else
    return row + literal<Diagonal> >= numbers_along<std::int32_t, -1>(x);
}

template <fixed_string Function, int Diagonal, bool Lower, operand_like X>
constexpr auto triangle(X x) {
  if constexpr (X::rank < 2) {
    return detail::refusal<rank_too_small, in_function<Function>, shown<X>>(x);
  } else if constexpr (Lower) {
    if constexpr (std::is_same_v<typename X::value_type, bool>)
      return logical_and(on_or_below<Diagonal>(x), x);
    else
      return where(on_or_below<Diagonal>(x), x, 0_c);
  } else {
    constexpr int below = Diagonal == INT32_MIN ? Diagonal : Diagonal - 1;
    if constexpr (std::is_same_v<typename X::value_type, bool>)
      return logical_and(logical_not(on_or_below<below>(x)), x);
    else
      return where(on_or_below<below>(x), 0_c, x);
  }
}
}  // namespace detail

/// x with zeros above a diagonal of its last two axes: `tril(x)`, `tril<-1>(x)`; diagonal 1 is the one above the main one.
template <int Diagonal = 0, operand_like X>
constexpr auto tril(X x) {
  return detail::triangle<"tril", Diagonal, true>(x);
}

/// x with zeros below a diagonal of its last two axes: `triu(x)`, `triu<1>(x)`; diagonal 1 is the one above the main one.
template <int Diagonal = 0, operand_like X>
constexpr auto triu(X x) {
  return detail::triangle<"triu", Diagonal, false>(x);
}

}  // namespace etch
