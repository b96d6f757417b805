// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/masks.hpp>
#include <etch/nn/layers.hpp>

/// Layers that bring what they see to mean 0 and variance 1. A number in parentheses is their epsilon: `layers::layer_norm(1e-5_c)`.
namespace etch::layers {

namespace detail {
template <class X>
using channels_of = shape<extent_along<-1>(typename X::shape_type{})>;
template <fixed_string Name, class X>
constexpr auto scale_of() {
  return nn::detail::layer_variable<typename nn::detail::norm_names<Name>::scale, typename X::value_type,
                                    struct initializers::ones>(channels_of<X>{});
}
template <fixed_string Name, class X>
constexpr auto offset_of() {
  return nn::detail::layer_variable<typename nn::detail::norm_names<Name>::offset, typename X::value_type,
                                    struct initializers::zeros>(channels_of<X>{});
}

struct layer_norm_kind {
  static constexpr fixed_string kind = "layer_norm";
  template <fixed_string Name, class X, class Mode, class Epsilon = decltype(1e-3_c)>
  static constexpr auto of(X x, Mode, Epsilon epsilon = {}) {
    return nn::layer_norm<Name>(x, epsilon);
  }
};
struct batch_norm_kind {
  static constexpr fixed_string kind = "batch_norm";
  template <fixed_string Name, class X, class Mode, class... Momentum>
  static constexpr auto of(X x, Mode mode, Momentum... momentum) {
    if constexpr (std::is_same_v<Mode, struct nn::evaluation>)
      return nn::batch_norm<Name>(x, mode);
    else
      return nn::batch_norm<Name>(x, mode, momentum...);
  }
  static constexpr bool uses_masks = true;
  /// In training: hidden steps are in neither moment, and are normalised as the others.
  template <fixed_string Name, class X, class Mask, class Momentum = decltype(0.99_c)>
  static constexpr auto of_seen(X x, Mask mask, Momentum momentum = {}) {
    return nn::detail::batch_norm_of_seen<Name>(x, mask, momentum);
  }
};
template <int Groups>
struct group_norm_kind {
  static constexpr fixed_string kind = "group_norm";
  template <fixed_string Name, class X, class Mode, class Epsilon = decltype(1e-3_c)>
  static constexpr auto of(X x, Mode, Epsilon epsilon = {}) {
    return etch::detail::in_scope<name_of<Name>>(etch::group_norm<Groups>(x, scale_of<Name, X>(), offset_of<Name, X>(), epsilon),
                                                 x);
  }
};
struct rms_norm_kind {
  static constexpr fixed_string kind = "rms_norm";
  template <fixed_string Name, class X, class Mode, class Epsilon = decltype(1e-6_c)>
  static constexpr auto of(X x, Mode, Epsilon epsilon = {}) {
    const auto root = rsqrt(mean(square(x), axis<-1>, keep_dims) + epsilon);
    return etch::detail::in_scope<name_of<Name>>(x * root * scale_of<Name, X>(), x);
  }
};
struct unit_norm_kind {
  static constexpr fixed_string kind = "unit_norm";
  template <fixed_string Name, class X, class Mode, class Epsilon = decltype(1e-12_c)>
  static constexpr auto of(X x, Mode, Epsilon epsilon = {}) {
    return x / etch::maximum(norm(x, axis<-1>, keep_dims), epsilon);
  }
};

}  // namespace detail

template <class Kind, class... Numbers>
struct norm_layer : detail::called_alone<norm_layer<Kind, Numbers...>> {
  static constexpr auto kind = Kind::kind;
  static constexpr bool sees_masks = true;
  using detail::called_alone<norm_layer>::operator();

  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode mode) const {
    return Kind::template of<Name>(x, mode, Numbers{}...);
  }
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask mask) const {
    if constexpr (requires { Kind::uses_masks; } && std::is_same_v<Mode, struct nn::training> && expression<Mask>)
      return detail::masked{Kind::template of_seen<Name>(x, mask, Numbers{}...), mask};
    else
      return detail::masked{call<Name>(x, mode), mask};
  }
  template <class N>
    requires(etch::detail::is_literal<N>)
  constexpr norm_layer<Kind, N> operator()(N) const {
    return {};
  }
};

/// `nn::layer_norm` along the last axis: variables `scale` and `offset`. Epsilon is 1e-3, as Keras's.
inline constexpr norm_layer<detail::layer_norm_kind> layer_norm{};
/// `nn::batch_norm`: by the batch in training, by what it has learnt in evaluation. Its number is the momentum of the averages, 0.99. Steps
/// that a mask hides are left out of the batch's mean and variance.
inline constexpr norm_layer<detail::batch_norm_kind> batch_norm{};
/// `etch::group_norm` of (batch, ..., channels): variables `scale` and `offset`. Epsilon is 1e-3, as Keras's.
template <int Groups>
inline constexpr norm_layer<detail::group_norm_kind<Groups>> group_norm{};
/// x over the root of its mean square along the last axis, times the variable `scale` (Zhang, Sennrich 2019). Epsilon is 1e-6.
inline constexpr norm_layer<detail::rms_norm_kind> rms_norm{};
/// x with length 1 along the last axis: Keras's UnitNormalization. Lengths are at least epsilon, 1e-12.
inline constexpr norm_layer<detail::unit_norm_kind> unit_norm{};

}  // namespace etch::layers
