// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/bias.hpp>
#include <etch/ops/pooling.hpp>

/// Layers of networks that see images.
namespace etch::nn {

namespace detail {

/// A window's extents as they are written: one number for all axes, or one for each.
template <int Count, int... Window>
inline constexpr bool is_window = sizeof...(Window) == Count || sizeof...(Window) == 1;
template <int Axis, int... Window>
constexpr int window_along() {
  constexpr int written[] = {Window...};
  return written[sizeof...(Window) == 1 ? 0 : Axis];
}

template <class... Options>
inline constexpr bool has_channels_first = (std::is_same_v<Options, struct channels_first> || ...);

/// Behind what is refused. A function, whose last arguments are deduced: nvcc has no partial specialisations for names.
template <fixed_string Name, fixed_string Function, int Filters, bool HasBias, int... Extents, class Call, expression X,
          class... Options>
constexpr auto conv_layer(std::integer_sequence<int, Extents...>, Call call, X x, Options... options) {
  constexpr int count = sizeof...(Extents);
  using T = typename X::value_type;
  constexpr auto channels = extent_along<(has_channels_first<Options...> ? 1 : -1)>(typename X::shape_type{});
  if constexpr (!std::is_integral_v<std::remove_cvref_t<decltype(channels)>>) {
    return etch::detail::refusal<a_variable_cannot_have_a_named_extent, in_function<Function>, shown<X>>(x);
  } else {
    constexpr std::int64_t groups = etch::detail::options_of<count, Options...>.groups;
    const auto kernel = layer_variable<typename product_names<Name>::kernel, T, struct initializers::glorot_uniform>(
        shape<Extents..., (groups > 0 ? channels / groups : channels), Filters>{});
    if constexpr (HasBias) {
      const auto bias = layer_variable<typename product_names<Name>::bias, T, struct initializers::zeros>(shape<Filters>{});
      constexpr int rank = has_channels_first<Options...> ? 1 + count : 1;
      return etch::detail::in_scope<name_of<Name>>(call(x, kernel, options...) + etch::detail::with_rank<rank>(bias), x);
    } else {
      return etch::detail::in_scope<name_of<Name>>(call(x, kernel, options...), x);
    }
  }
}

template <fixed_string Name, fixed_string Function, int Filters, int Count, int... Window, class Call, expression X,
          class... Options>
constexpr auto conv(Call call, X x, Options... options) {
  if constexpr (!etch::detail::takes_dtypes<Function, dtype_set::floating, X>()) {
    return etch::detail::refused(x);
  } else if constexpr (X::rank != Count + 2) {
    return etch::detail::refusal<a_convolution_has_a_batch_axes_of_windows_and_channels, in_function<Function>, shown<X>,
                                 expected<number_of_axes<Count + 2>>>(x);
  } else if constexpr (!is_window<Count, Window...> || ((Window < 1) || ...)) {
    return etch::detail::refusal<there_is_not_one_number_for_each_axis_of_windows, in_function<Function>, shown<X>,
                                 got<window_of<Window...>>>(x);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return call_without_bias(
          [&](auto... o) {
            return conv_layer<Name, Function, Filters, has_bias<Options...>>(
                std::integer_sequence<int, window_along<I, Window...>()...>{}, call, x, o...);
          },
          options...);
    }(std::make_integer_sequence<int, Count>{});
  }
}

}  // namespace detail

/// `conv2d` of x (batch, height, width, channels) with the variable `Name/kernel`, plus the variable `Name/bias`. The kernel
/// (Window..., channels, Filters) begins as glorot_uniform, the bias (Filters) as zeros. Window: one number, or two. Options are
/// those of `etch::conv2d`, and `without_bias`: `nn::conv2d<"first", 32, 5>(x, same_padding)`.
template <fixed_string Name, int Filters, int... Window, expression X, class... Options>
constexpr auto conv2d(X x, Options... options) {
  return detail::conv<Name, "nn::conv2d", Filters, 2, Window...>([](auto... a) { return etch::conv2d(a...); }, x, options...);
}
/// `nn::conv2d` along one axis: x (batch, length, channels).
template <fixed_string Name, int Filters, int... Window, expression X, class... Options>
constexpr auto conv1d(X x, Options... options) {
  return detail::conv<Name, "nn::conv1d", Filters, 1, Window...>([](auto... a) { return etch::conv1d(a...); }, x, options...);
}

}  // namespace etch::nn
