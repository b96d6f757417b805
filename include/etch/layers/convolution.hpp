// SPDX-License-Identifier: MIT
#pragma once
#include <etch/convolution.hpp>
#include <etch/layers/activations.hpp>

/// Layers of images (batch, height, width, channels).
namespace etch::layers {

/// `nn::conv2d` with `Filters` filters and a window of `Window` (one extent, or two), and an activation of the result:
/// `layers::conv2d<32, 5>(layers::relu, same_padding)`. Variables: `kernel` (height, width, channels, Filters) and `bias` (Filters).
template <class Activation, class Options, int Filters, int... Window>
struct conv2d_layer;
template <class Activation, class... Options, int Filters, int... Window>
struct conv2d_layer<Activation, std::tuple<Options...>, Filters, Window...>
    : detail::called_alone<conv2d_layer<Activation, std::tuple<Options...>, Filters, Window...>> {
  static constexpr fixed_string kind = "conv2d";
  using detail::called_alone<conv2d_layer>::operator();

  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return Activation{}(nn::conv2d<Name, Filters, Window...>(x, Options{}...));
  }
  template <layer_like A, class... O>
    requires(!expression<A>)
  constexpr conv2d_layer<A, std::tuple<O...>, Filters, Window...> operator()(A, O...) const {
    return {};
  }
};
template <int Filters, int... Window>
inline constexpr conv2d_layer<std::remove_const_t<decltype(identity)>, std::tuple<>, Filters, Window...> conv2d{};

namespace detail {
template <int... Window>
struct max_pool2d_function {
  template <class X>
  static constexpr auto of(X x) {
    return etch::max_pool2d(x, window<Window...>);
  }
};
template <int... Window>
struct average_pool2d_function {
  template <class X>
  static constexpr auto of(X x) {
    return etch::average_pool2d(x, window<Window...>);
  }
};
struct flatten_function {
  template <class X>
  static constexpr auto of(X x) {
    return nn::flatten(x);
  }
};
}  // namespace detail
template <int... Window>
inline constexpr function_layer<detail::max_pool2d_function<Window...>> max_pool2d{};
template <int... Window>
inline constexpr function_layer<detail::average_pool2d_function<Window...>> average_pool2d{};
/// x (batch, ...) as (batch, elements of each).
inline constexpr function_layer<detail::flatten_function> flatten{};

}  // namespace etch::layers
