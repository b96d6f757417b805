// SPDX-License-Identifier: MIT
#pragma once
#include <etch/convolution.hpp>
#include <etch/layers/activations.hpp>

/// Convolutions and pools of images (batch, axes..., channels) as layers.
namespace etch::layers {

using nn::without_bias;

/// How many filters each channel has in a depthwise convolution.
template <int Count>
struct depth_multiplier_of {};
template <int Count>
inline constexpr depth_multiplier_of<Count> depth_multiplier{};

namespace detail {

template <class O>
inline constexpr bool is_convolution_option = std::is_same_v<O, struct nn::without_bias> || [] {
  etch::detail::convolution_options o;
  o.read(1, O{});
  return o.is_known;
}();
template <class O>
inline constexpr int multiplier_in = 0;
template <int Count>
inline constexpr int multiplier_in<depth_multiplier_of<Count>> = Count;

/// What stands behind a window: those that say where windows lie, in order; a multiplier, 1 unless told; an activation, identity unless
/// told.
template <class... O>
struct convolution_words {
  using options = etch::detail::chosen_types<etch::detail::type_list<O...>, is_convolution_option<O>...>;
  static constexpr int multiplier = (multiplier_in<O> + ... + 0) + (((multiplier_in<O> == 0) && ...) ? 1 : 0);
  using activations =
      etch::detail::chosen_types<etch::detail::type_list<O...>, (!is_convolution_option<O> && multiplier_in<O> == 0)...>;
  static_assert(activations::size < 2, "layers: a convolution has one activation, and options such as same_padding");
  template <class Y, activation... A>
  static constexpr auto activated(Y y, etch::detail::type_list<A...>) {
    if constexpr (sizeof...(A) == 0)
      return y;
    else
      return (A{}(y), ...);
  }
};

template <int Count, bool Transposed>
struct convolved {
  template <class... A>
  constexpr auto operator()(A... a) const {
    if constexpr (Transposed && Count == 1)
      return etch::conv1d_transpose(a...);
    else if constexpr (Transposed && Count == 2)
      return etch::conv2d_transpose(a...);
    else if constexpr (Transposed)
      return etch::conv3d_transpose(a...);
    else if constexpr (Count == 1)
      return etch::conv1d(a...);
    else if constexpr (Count == 2)
      return etch::conv2d(a...);
    else
      return etch::conv3d(a...);
  }
};

template <fixed_string Name>
struct separable_names {
  using depthwise = join<name_of<Name>, name_of<"/depthwise_kernel">>;
  using pointwise = join<name_of<Name>, name_of<"/pointwise_kernel">>;
};
template <class Name, class T, auto... E>
constexpr auto kernel_variable(shape<E...> s) {
  return nn::detail::layer_variable<Name, T, struct initializers::glorot_uniform>(s);
}
/// y plus a bias, unless an option says that there is none.
template <fixed_string Name, class... Options, class Y>
constexpr auto with_bias(Y y) {
  if constexpr (nn::detail::has_bias<Options...>)
    return y + nn::detail::layer_variable<typename nn::detail::product_names<Name>::bias, typename Y::value_type,
                                          struct initializers::zeros>(shape<extent_along<-1>(typename Y::shape_type{})>{});
  else
    return y;
}
/// Each channel convolved with filters of its own: x with a kernel (windows..., channels, Multiplier).
template <int Count, int Multiplier, auto... E, class X, class Kernel, class... Options>
constexpr auto depthwise(X x, Kernel kernel, shape<E...>, Options... options) {
  constexpr int channels = extent_along<-1>(typename X::shape_type{});
  return nn::detail::call_without_bias(convolved<Count, false>{}, x, etch::reshape(kernel, shape<E..., 1, channels * Multiplier>{}),
                                       groups<channels>, options...);
}

template <int Count>
struct convolution_kind {
  static constexpr auto kind = "conv" + digits<Count> + "d";
  template <fixed_string Name, int Filters, int Multiplier, int... Window, class X, class... Options>
  static constexpr auto of(X x, shape<Window...>, Options... options) {
    return nn::detail::conv<Name, "nn::" + kind, Filters, Count, Window...>(convolved<Count, false>{}, x, options...);
  }
};
/// How far windows along an axis lie apart beyond their reach, of a transposed convolution without padding: 0 or negative, as what is left out.
constexpr std::int64_t gap_along(const etch::detail::convolution_options& o, int axis, std::int64_t window) {
  const etch::window_axis& a = o.axes[axis];
  const bool is_padded = o.paddings > 0 || a.before == same_paddings;
  return is_padded || a.reach(window) >= a.stride ? 0 : a.reach(window) - a.stride;
}
/// The transposed convolution, with strides times as many elements at least, as Keras's: zeros behind the last window, where windows have gaps.
template <int Count, int... Window, class X, class Kernel, class... Options>
constexpr auto transposed(X x, Kernel kernel, shape<Window...>, Options... options) {
  constexpr auto said = etch::detail::options_of<Count, Options...>;
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    if constexpr (((gap_along(said, I, Window) < 0) || ...))
      return convolved<Count, true>{}(x, kernel, options..., padding<0, gap_along(said, I, Window)>...);
    else
      return convolved<Count, true>{}(x, kernel, options...);
  }(std::make_integer_sequence<int, Count>{});
}

template <int Count>
struct transposed_kind {
  static constexpr auto kind = "conv" + digits<Count> + "d_transpose";
  template <fixed_string Name, int Filters, int Multiplier, int... Window, class X, class... Options>
  static constexpr auto of(X x, shape<Window...> w, Options... options) {
    using T = typename X::value_type;
    constexpr auto channels = extent_along<-1>(typename X::shape_type{});
    const auto kernel = kernel_variable<typename nn::detail::product_names<Name>::kernel, T>(shape<Window..., Filters, channels>{});
    return with_bias<Name, Options...>(
        nn::detail::call_without_bias([&](auto... o) { return transposed<Count>(x, kernel, w, o...); }, options...));
  }
};
template <int Count>
struct depthwise_kind {
  static constexpr auto kind = "depthwise_conv" + digits<Count> + "d";
  template <fixed_string Name, int, int Multiplier, int... Window, class X, class... Options>
  static constexpr auto of(X x, shape<Window...> w, Options... options) {
    using T = typename X::value_type;
    constexpr auto channels = extent_along<-1>(typename X::shape_type{});
    const auto kernel =
        kernel_variable<typename nn::detail::product_names<Name>::kernel, T>(shape<Window..., channels, Multiplier>{});
    return with_bias<Name, Options...>(depthwise<Count, Multiplier>(x, kernel, w, options...));
  }
};
template <int Count>
struct separable_kind {
  static constexpr auto kind = "separable_conv" + digits<Count> + "d";
  template <fixed_string Name, int Filters, int Multiplier, int... Window, class X, class... Options>
  static constexpr auto of(X x, shape<Window...> w, Options... options) {
    using T = typename X::value_type;
    constexpr auto channels = extent_along<-1>(typename X::shape_type{});
    const auto each = kernel_variable<typename separable_names<Name>::depthwise, T>(shape<Window..., channels, Multiplier>{});
    const auto across = kernel_variable<typename separable_names<Name>::pointwise, T>(
        shape<(Window > 0 ? 1 : 1)..., channels * Multiplier, Filters>{});
    return with_bias<Name, Options...>(convolved<Count, false>{}(depthwise<Count, Multiplier>(x, each, w, options...), across));
  }
};

/// A window's extents, one for each of `Count` axes.
template <int Count, int... Window>
constexpr auto window_shape() {
  return []<int... I>(std::integer_sequence<int, I...>) {
    return shape<nn::detail::window_along<I, Window...>()...>{};
  }(std::make_integer_sequence<int, Count>{});
}

}  // namespace detail

/// A convolution, plus a bias, and an activation of the result. Words behind it, in any order: an activation, and the options of
/// `etch::conv2d`, `layers::without_bias`: `layers::conv2d<32, 5>(layers::relu, same_padding)`.
template <class Kind, int Count, int Filters, class Words, int... Window>
struct convolution_layer;
template <class Kind, int Count, int Filters, class... Words, int... Window>
struct convolution_layer<Kind, Count, Filters, std::tuple<Words...>, Window...>
    : detail::called_alone<convolution_layer<Kind, Count, Filters, std::tuple<Words...>, Window...>> {
  static constexpr auto kind = Kind::kind;
  using words = detail::convolution_words<Words...>;
  using detail::called_alone<convolution_layer>::operator();

  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    const auto y = []<class... O>(X image, etch::detail::type_list<O...>) {
      return Kind::template of<Name, Filters, words::multiplier>(image, detail::window_shape<Count, Window...>(), O{}...);
    }(x, typename words::options{});
    return words::activated(etch::detail::in_scope<name_of<Name>>(y, x), typename words::activations{});
  }
  template <class... W>
    requires(sizeof...(W) > 0 && ((!expression<W> && std::is_empty_v<W>) && ...))
  constexpr convolution_layer<Kind, Count, Filters, std::tuple<Words..., W...>, Window...> operator()(W...) const {
    return {};
  }
};

/// `nn::conv2d` with `Filters` filters and a window of `Window` (one extent, or one for each axis), and its likes. Variables: `kernel` (window...,
/// channels, Filters) and `bias` (Filters).
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::convolution_kind<1>, 1, Filters, std::tuple<>, Window...> conv1d{};
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::convolution_kind<2>, 2, Filters, std::tuple<>, Window...> conv2d{};
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::convolution_kind<3>, 3, Filters, std::tuple<>, Window...> conv3d{};
/// `conv2d_transpose` and its likes. Variables: `kernel` (window..., Filters, channels), Keras's layout, and `bias`.
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::transposed_kind<1>, 1, Filters, std::tuple<>, Window...> conv1d_transpose{};
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::transposed_kind<2>, 2, Filters, std::tuple<>, Window...> conv2d_transpose{};
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::transposed_kind<3>, 3, Filters, std::tuple<>, Window...> conv3d_transpose{};
/// Filters for each channel alone: `layers::depthwise_conv2d<3>(depth_multiplier<2>)`. Variables: `kernel` (window..., channels, multiplier)
/// and `bias` (channels * multiplier).
template <int... Window>
inline constexpr convolution_layer<detail::depthwise_kind<1>, 1, 0, std::tuple<>, Window...> depthwise_conv1d{};
template <int... Window>
inline constexpr convolution_layer<detail::depthwise_kind<2>, 2, 0, std::tuple<>, Window...> depthwise_conv2d{};
/// A depthwise convolution, then one of windows of 1 (Chollet 2017). Variables: `depthwise_kernel`, `pointwise_kernel`, `bias`.
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::separable_kind<1>, 1, Filters, std::tuple<>, Window...> separable_conv1d{};
template <int Filters, int... Window>
inline constexpr convolution_layer<detail::separable_kind<2>, 2, Filters, std::tuple<>, Window...> separable_conv2d{};

#define ETCH_POOL(NAME)                                    \
  namespace detail {                                       \
  template <int... Window>                                 \
  struct NAME##_function {                                 \
    template <class X, class... Options>                   \
    static constexpr auto of(X x, Options... options) {    \
      return etch::NAME(x, window<Window...>, options...); \
    }                                                      \
  };                                                       \
  }                                                        \
  template <int... Window>                                 \
  inline constexpr function_layer<detail::NAME##_function<Window...>> NAME{};
/// `etch::max_pool2d` and its likes: `layers::max_pool2d<2>`, `layers::max_pool2d<3>(strides<2>, same_padding)`.
ETCH_POOL(max_pool1d)
ETCH_POOL(max_pool2d)
ETCH_POOL(max_pool3d)
ETCH_POOL(average_pool1d)
ETCH_POOL(average_pool2d)
ETCH_POOL(average_pool3d)
#undef ETCH_POOL

}  // namespace etch::layers
