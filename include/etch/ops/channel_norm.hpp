// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/composite.hpp>
#include <etch/ops/convolve.hpp>

/// Images (batch, axes..., channels) brought to mean 0 and variance 1: by channel, by group, by image.
namespace etch {

namespace detail {

/// All axes of x but its last; those between its first and its last, and so many behind them.
template <int... I>
constexpr axis_list<I...> axes_before_last(std::integer_sequence<int, I...>) {
  return {};
}
template <int... I, int... More>
constexpr axis_list<(I + 1)..., More...> inner_axes(std::integer_sequence<int, I...>, axis_list<More...>) {
  return {};
}

template <fixed_string Function, int LeastRank, operand_like X>
constexpr bool takes_image() {
  if constexpr (!takes_dtypes<Function, dtype_set::floating, X>())
    return false;
  else if constexpr (X::rank < LeastRank)
    return raise<rank_too_small, in_function<Function>, shown<X>>();
  else
    return true;
}

}  // namespace detail

/// (x - mean) / sqrt(variance + epsilon) * scale + offset, where all but x are (channels) (Ioffe, Szegedy 2015). Behind a convolution it is
/// computed by the convolution's kernel.
template <operand_like X, operand_like Mean, operand_like Variance, operand_like Scale, operand_like Offset,
          class Epsilon = decltype(1e-3_c)>
constexpr auto batch_norm(X x, Mean mean, Variance variance, Scale scale, Offset offset, Epsilon epsilon = {}) {
  return (x - mean) * (scale * rsqrt(variance + epsilon)) + offset;
}

/// Each image's groups of channels with mean 0 and variance 1, then * scale + offset (channels) (Wu, He 2018). x is (batch,
/// axes..., channels).
template <int Groups, operand_like X, operand_like Scale, operand_like Offset, class Epsilon = decltype(1e-5_c)>
constexpr auto group_norm(X x, Scale scale, Offset offset, Epsilon epsilon = {}) {
  if constexpr (!detail::takes_image<"group_norm", 2, X>()) {
    return detail::refused(x);
  } else {
    const auto groups = detail::reshaped_by<detail::split_channels<X::rank - 1, Groups, "group_norm">>(x);
    const auto even =
        detail::normalised(groups, epsilon, detail::inner_axes(std::make_integer_sequence<int, X::rank - 2>{}, axis<X::rank>));
    return detail::reshaped_by<detail::joined_channels<"group_norm">>(even) * scale + offset;
  }
}

/// Each image's channels with mean 0 and variance 1, then * scale + offset (channels) (Ulyanov, Vedaldi, Lempitsky 2016).
template <operand_like X, operand_like Scale, operand_like Offset, class Epsilon = decltype(1e-5_c)>
constexpr auto instance_norm(X x, Scale scale, Offset offset, Epsilon epsilon = {}) {
  if constexpr (!detail::takes_image<"instance_norm", 3, X>())
    return detail::refused(x);
  else
    return detail::normalised(x, epsilon, detail::inner_axes(std::make_integer_sequence<int, X::rank - 2>{}, axis<>)) * scale +
           offset;
}

}  // namespace etch
