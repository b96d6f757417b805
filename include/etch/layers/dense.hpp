// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/activations.hpp>
#include <etch/layers/masks.hpp>
#include <etch/nn/layers.hpp>

/// Layers of a sequence, by Keras's names.
namespace etch::layers {

using nn::without_bias;

/// `nn::dense`, and an activation of the result. `layers::dense<100>`, `layers::dense<100>(layers::relu)`, `layers::dense<100>(layers::relu,
/// initializers::he_normal)`, and each of these with `layers::without_bias`. Variables: `kernel` (inputs, Units) and `bias` (Units).
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
  /// With an activation, and initializers of kernel and bias, in this order, and `without_bias` anywhere.
  template <activation... O>
    requires(sizeof...(O) > 0 && !(expression<O> || ...))
  constexpr auto operator()(O...) const {
    constexpr bool has_bias = !(std::is_same_v<O, struct without_bias> || ...);
    return told<has_bias>(etch::detail::chosen_types<etch::detail::type_list<O...>, !std::is_same_v<O, struct without_bias>...>{});
  }

 private:
  template <class A = Activation, class K = Kernel, class B = Bias>
  struct with {
    using layer = dense_layer<Units, A, K, B>;
    using layer_without_bias = dense_layer<Units, A, K, struct without_bias>;
  };
  template <bool HasBias, class... O>
  static constexpr auto told(etch::detail::type_list<O...>) {
    static_assert(sizeof...(O) <= (HasBias ? 3 : 2),
                  "layers: dense takes an activation, an initializer of its kernel, and one of its bias or without_bias");
    if constexpr (sizeof...(O) > 3)
      return dense_layer();
    else if constexpr (HasBias)
      return typename with<O...>::layer();
    else
      return typename with<O...>::layer_without_bias();
  }
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
