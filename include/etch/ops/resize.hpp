// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/convolve.hpp>
#include <etch/ops/indexing.hpp>
#include <etch/ops/mean.hpp>
#include <etch/ops/resampling.hpp>

/// Images of other extents.
namespace etch {

/// What `resize` takes for a value between pixels: the nearest one's, or what lies on the line between the two beside it, along each
/// axis. Others: `resampling.hpp`.
inline constexpr struct nearest {
} nearest;
inline constexpr struct bilinear {
} bilinear;
/// Where pixels lie: the first and the last of both images at the same places. Without it pixels are areas, whose edges
/// meet, and lie in their middle.
inline constexpr struct align_corners {
} align_corners;

namespace detail {

template <class Method>
inline constexpr bool is_resize_method = std::is_same_v<Method, struct nearest> || std::is_same_v<Method, struct bilinear> ||
                                         std::is_same_v<Method, struct bicubic> || std::is_same_v<Method, struct area>;
/// Whether a method takes an option: between corners only lines are defined; what is nearest is not smoothed, and areas are.
template <class Method, class Option>
inline constexpr bool is_resize_option = std::is_same_v<Option, struct channels_first> ||
                                         (std::is_same_v<Option, struct align_corners> &&
                                          (std::is_same_v<Method, struct nearest> || std::is_same_v<Method, struct bilinear>)) ||
                                         (std::is_same_v<Option, struct antialias> && !std::is_same_v<Method, struct nearest>);
template <class... Options>
inline constexpr bool contradict =
    (std::is_same_v<Options, struct antialias> || ...) && (std::is_same_v<Options, struct align_corners> || ...);

/// Along one axis to `Extent` elements. Positions are exact: integers over a common denominator.
template <int Axis, std::int64_t Extent, bool Aligns, class Method, operand_like X>
constexpr auto resize_axis(X x, Method) {
  const auto extent = size_along(astype<std::int64_t>(x), axis<Axis>);
  const auto i = arange<std::int64_t>(shape<Extent>{});
  constexpr std::int64_t denominator = !Aligns ? 2 * Extent : Extent > 1 ? Extent - 1 : 1;
  const auto over = literal<denominator>;
  const auto last = extent - literal<std::int64_t{1}>;
  if constexpr (std::is_same_v<Method, struct nearest>) {
    if constexpr (Aligns)
      return gather(x, floor_divide(literal<std::int64_t{2}> * i * last + over, literal<2 * denominator>), axis<Axis>);
    else
      return gather(x, floor_divide((literal<std::int64_t{2}> * i + literal<std::int64_t{1}>)*extent, over), axis<Axis>);
  } else {
    const auto place = [&] {
      if constexpr (Aligns)
        return i * last;
      else
        return maximum((literal<std::int64_t{2}> * i + literal<std::int64_t{1}>)*extent - literal<Extent>,
                       literal<std::int64_t{0}>);
    }();
    using T = std::conditional_t<is_floating(dtype_of<typename X::value_type>), typename X::value_type, float>;
    const auto before = floor_divide(place, over);
    const auto way = astype<T>(place - before * over) / literal<static_cast<T>(denominator)>;
    const auto weight = [&]<std::size_t... D>(std::index_sequence<D...>) {
      return reshape(way, shape<(static_cast<int>(D) == Axis ? Extent : std::int64_t{1})...>{});
    }(std::make_index_sequence<static_cast<std::size_t>(X::rank)>{});
    // Numbers that are no floats are cast behind the first gather: fewer than all pixels, and narrower ones are moved.
    const auto first = astype<T>(gather(x, before, axis<Axis>));
    return first + (astype<T>(gather(x, minimum(before + literal<std::int64_t{1}>, last), axis<Axis>)) - first) * weight;
  }
}
template <int Axis, bool Aligns, class Method, operand_like X>
constexpr auto resize_axes(X x, shape<>, Method) {
  return x;
}
template <int Axis, bool Aligns, class Method, operand_like X, auto First, auto... Rest>
constexpr auto resize_axes(X x, shape<First, Rest...>, Method method) {
  return resize_axes<Axis + 1, Aligns>(resize_axis<Axis, static_cast<std::int64_t>(First), Aligns>(x, method), shape<Rest...>{},
                                       method);
}

}  // namespace detail

/// Images (batch, height, width, channels), or one (height, width, channels), with other heights and widths:
/// `resize(x, shape<64, 48>{}, bilinear)`. Or `nearest`, `bicubic`, `area`; there are as many extents as x has axes between the first of a
/// batch and the channels. Options behind: `antialias`, without which nothing is smoothed where images become smaller (`area` is smooth);
/// `align_corners` (of `nearest` and `bilinear`); `channels_first` (of a batch). Of numbers that are no floats, values but the nearest are
/// float32. As TensorFlow's `tf.image.resize`, and PyTorch's `interpolate`, but that PyTorch's nearest takes the pixel in front and its
/// bicubic another cubic.
template <operand_like X, auto... Extents, class Method, class... Options>
  requires(detail::is_resize_method<Method> && (detail::is_resize_option<Method, Options> && ...) &&
           !detail::contradict<Options...>)
constexpr auto resize(X x, shape<Extents...> extents, Method method, Options... options) {
  constexpr bool aligns = (std::is_same_v<Options, struct align_corners> || ...);
  constexpr bool smooths = (std::is_same_v<Options, struct antialias> || ...);
  constexpr bool by_channels = (std::is_same_v<Options, struct channels_first> || ...);
  constexpr int windows = static_cast<int>(sizeof...(Extents));
  using value = typename X::value_type;
  if constexpr (X::rank != windows + 2 && (X::rank != windows + 1 || by_channels))
    return detail::refusal<a_convolution_has_a_batch_axes_of_windows_and_channels, in_function<"resize">, shown<X>,
                           expected<number_of_axes<windows + 2>>>(x);
  else if constexpr (!(std::is_integral_v<decltype(Extents)> && ...))
    return detail::refusal<name_the_shape_in_angle_brackets, in_function<"resize">, shown<X>,
                           instead_write<"resize(x, shape<64, 48>{}, bilinear)">>(x);
  else if constexpr (std::is_same_v<Method, struct nearest> || (std::is_same_v<Method, struct bilinear> && !smooths))
    return detail::resize_axes<X::rank - windows - (by_channels ? 0 : 1), aligns>(x, extents, method);
  else if constexpr (!is_floating(dtype_of<value>))
    return resize(astype<float>(x), extents, method, options...);
  else
    return detail::resample_axes<X::rank - windows - (by_channels ? 0 : 1), smooths>(x, extents, method);
}
ETCH_REFUSE_CALLS(resize, this_call_has_not_the_options_that_it_takes, "resize($, shape<64, 48>{}, bilinear)")

}  // namespace etch
