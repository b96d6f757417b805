// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/activations.hpp>
#include <etch/nn/layers.hpp>

/// Layers of a sequence, by Keras's names.
namespace etch::layers {

/// `nn::dense`, and an activation of the result. `layers::dense<100>`, `layers::dense<100>(layers::relu)`, `layers::dense<100>(layers::relu,
/// initializers::he_normal)`. Variables: `kernel` (inputs, Units) and `bias` (Units).
template <int Units, class Activation = std::remove_const_t<decltype(identity)>, class Kernel = struct initializers::glorot_uniform,
          class Bias = struct initializers::zeros>
struct dense_layer : detail::called_alone<dense_layer<Units, Activation, Kernel, Bias>> {
  static constexpr fixed_string kind = "dense";
  using detail::called_alone<dense_layer>::operator();

  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return Activation{}(nn::dense<Name, Units>(x, Kernel{}, Bias{}));
  }
  /// With an activation, and initializers of kernel and bias.
  template <activation A, class K = Kernel, class B = Bias>
    requires(!expression<A>)
  constexpr dense_layer<Units, A, K, B> operator()(A, K = {}, B = {}) const {
    return {};
  }
};
template <int Units>
inline constexpr dense_layer<Units> dense{};

/// `nn::embedding`: rows of the variable `table` (Rows, Width) for integers.
template <int Rows, int Width>
struct embedding_layer : detail::called_alone<embedding_layer<Rows, Width>> {
  static constexpr fixed_string kind = "embedding";
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return nn::embedding<Name, Rows, Width>(x);
  }
};
template <int Rows, int Width>
inline constexpr embedding_layer<Rows, Width> embedding{};

}  // namespace etch::layers
