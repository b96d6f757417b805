// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/activations.hpp>
#include <etch/layers/masks.hpp>
#include <etch/nn/layers.hpp>

/// Layers of a sequence, by Keras's names.
namespace etch::layers {

using nn::without_bias;

/// `nn::dense`, and an activation of the result. `layers::dense<100>`, `layers::dense<100>(layers::relu)`, `layers::dense<100>(layers::relu,
/// initializers::he_normal)`, and each of these with `layers::without_bias` as the last. Variables: `kernel` (inputs, Units) and `bias` (Units).
template <int Units, class Activation = std::remove_const_t<decltype(identity)>, class Kernel = struct initializers::glorot_uniform,
          class Bias = struct initializers::zeros>
struct dense_layer : detail::called_alone<dense_layer<Units, Activation, Kernel, Bias>> {
  static constexpr fixed_string kind = "dense";
  static constexpr bool keeps_steps = true;
  using detail::called_alone<dense_layer>::operator();

  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return Activation{}(nn::dense<Name, Units>(x, Kernel{}, Bias{}));
  }
  /// With an activation, and initializers of kernel and bias.
  template <activation A, class K = Kernel, class B = Bias>
    requires(!expression<A> && !std::is_same_v<A, struct without_bias> && !std::is_same_v<K, struct without_bias>)
  constexpr dense_layer<Units, A, K, B> operator()(A, K = {}, B = {}) const {
    return {};
  }
  template <activation A>
    requires(!expression<A>)
  constexpr dense_layer<Units, A, Kernel, struct without_bias> operator()(A, struct without_bias) const {
    return {};
  }
  constexpr dense_layer<Units, Activation, Kernel, struct without_bias> operator()(struct without_bias) const { return {}; }
};
template <int Units>
inline constexpr dense_layer<Units> dense{};

/// Integers 0 are no steps: layers behind an `embedding` do not see them.
inline constexpr struct mask_zero {
} mask_zero;

/// `nn::embedding`: rows of the variable `table` (Rows, Width) for integers. `layers::embedding<1000, 64>`, with a mask
/// `layers::embedding<1000, 64>(layers::mask_zero)`.
template <int Rows, int Width, bool MasksZero = false>
struct embedding_layer : detail::called_alone<embedding_layer<Rows, Width, MasksZero>> {
  static constexpr fixed_string kind = "embedding";
  static constexpr bool sees_masks = true;
  using detail::called_alone<embedding_layer>::operator();

  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return nn::embedding<Name, Rows, Width>(x);
  }
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask) const {
    if constexpr (MasksZero)
      return detail::masked{call<Name>(x, mode), x != 0_c};
    else
      return detail::masked{call<Name>(x, mode), detail::no_mask{}};
  }
  constexpr embedding_layer<Rows, Width, true> operator()(struct mask_zero) const { return {}; }
};
template <int Rows, int Width>
inline constexpr embedding_layer<Rows, Width> embedding{};

}  // namespace etch::layers
