// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/exponential.hpp>
#include <etch/ops/mean.hpp>

/// Sizes of what lies along some axes.
namespace etch {

namespace detail {
/// sqrt(x) of what is not negative, whose gradient at 0 is 0.
template <operand_like X>
constexpr auto sqrt_flat_at_zero(X x) {
  return where(x > 0_c, sqrt(x), x);
}

/// What numbers are multiplied by so that their squares neither overflow nor vanish, `largest` being the largest of their magnitudes: a power
/// of two, so that nothing is rounded; 1 where it need not be, so that nothing is changed.
template <operand_like M>
constexpr auto scale_of_squares(M largest) {
  constexpr bool wide = sizeof(typename M::value_type) == 8;
  constexpr auto high = literal < wide ? 0x1p400 : 0x1p48 > ;
  constexpr auto low = literal < wide ? 0x1p-400 : 0x1p-40 > ;
  constexpr auto down = literal < wide ? 0x1p-600 : 0x1p-80 > ;
  constexpr auto up = literal < wide ? 0x1p600 : 0x1p88 > ;
  const auto one = largest - largest + 1_c;  // of its dtype
  return stop_gradient(where(largest > high, down, where(largest < low, up, one)));
}
}  // namespace detail

/// The root of the variance (divided by n, as in NumPy, whose name for it is that of C++'s own namespace). Its gradient where all
/// elements are equal is 0.
template <operand_like X, class... Options>
constexpr auto standard_deviation(X x, Options... options) {
  return detail::sqrt_flat_at_zero(variance(x, options...));
}

/// The order of a norm that is the largest magnitude: `norm<infinity>(x)`.
inline constexpr struct infinity {
} infinity;

/// The Euclidean norm sqrt(sum(x * x)) of what lies along some axes, or all. `norm<1>(x)` is sum(|x|), `norm<infinity>(x)`
/// max(|x|), 0 of nothing. Of two axes too it is that of all their elements. The Euclidean norm is scaled, so that it and its
/// gradient are right where squares would overflow or vanish; its gradient at 0 is 0. Integers and bools are taken as float32.
template <auto Order = 2, operand_like X, class... Options>
constexpr auto norm(X x, Options... options) {
  using order = std::remove_cvref_t<decltype(Order)>;
  if constexpr (!is_floating(dtype_of<typename X::value_type>)) {
    return norm<Order>(astype<float>(x), options...);
  } else if constexpr (std::is_same_v<order, struct infinity>) {
    return maximum(max(abs(x), options...), 0_c);
  } else {
    static_assert(Order == 1 || Order == 2, "norm: the order is 1, 2 or infinity");
    if constexpr (Order == 1) {
      return sum(abs(x), options...);
    } else if constexpr ((std::is_same_v<Options, struct keep_dims> || ...) || sizeof...(Options) == 0) {
      const auto scale = detail::scale_of_squares(max(abs(x), options...));
      return detail::sqrt_flat_at_zero(sum(square(x * scale), options...)) / scale;
    } else {
      const auto scale = detail::scale_of_squares(max(abs(x), options..., keep_dims));
      return detail::sqrt_flat_at_zero(sum(square(x * scale), options...)) /
             max(scale, options...);  // over axes of extent 1: a reshape
    }
  }
}

}  // namespace etch
