// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/layer.hpp>

/// Masks: which steps of sequences (batch, steps, ...) are seen, bools (batch, steps). A layer that makes one (`embedding(mask_zero)`,
/// `masking`) hands it to those behind it in a `sequential`, as Keras does: recurrent layers, attention and means use it, layers that
/// compute each step by itself hand it on, and others end it.
namespace etch::layers::detail {

/// Where there is no mask.
struct no_mask {};
/// What a layer gives, and which of its steps are seen.
template <class Y, class Mask>
struct masked {
  Y y;
  Mask mask;
};
template <class Y, class Mask>
masked(Y, Mask) -> masked<Y, Mask>;

/// A layer that says so (`keeps_steps`), or whose function does, computes each step by itself.
template <class L>
inline constexpr bool keeps_steps = requires { L::keeps_steps; };
template <class F, class... Options>
inline constexpr bool keeps_steps<function_layer<F, Options...>> = requires { F::keeps_steps; };

/// A function that makes one value of all steps says what it makes of those that are seen, `of_seen(x, mask)`.
template <class F, class... Options, class X, class Mask>
  requires requires(X x, Mask mask) { F::of_seen(x, mask); }
constexpr auto of_seen(function_layer<F, Options...>, X x, Mask mask) {
  return F::of_seen(x, mask);
}

/// One layer's result and its mask. What a layer has to do with masks is its `call_masked<Name>(x, mode, mask)`.
template <fixed_string Name, class L, class X, class Mode, class Mask>
constexpr auto call_masked(L l, X x, Mode mode, Mask mask) {
  if constexpr (expression<X> && requires { L::sees_masks; })
    return l.template call_masked<Name>(x, mode, mask);
  else if constexpr (requires { of_seen(l, x, mask); })
    return masked{of_seen(l, x, mask), no_mask{}};
  else if constexpr (keeps_steps<L>)
    return masked{call<Name>(l, x, mode), mask};
  else
    return masked{call<Name>(l, x, mode), no_mask{}};
}

/// The mask of what a model's network gives: that of a `sequential`, or of a layer made of some.
template <class Net, class X, class Mode>
constexpr auto mask_behind(Net net, X x, Mode mode) {
  if constexpr (requires { net.mask(x, mode); })
    return net.mask(x, mode);
  else if constexpr (path_alone<Net>().size > 0)
    return call_masked<path_alone<Net>()>(net, x, mode, no_mask{}).mask;
  else
    return no_mask{};
}

}  // namespace etch::layers::detail

namespace etch::layers {

/// Steps of x (batch, steps, features) whose features are all that number, 0 unless told, are zeros, and hidden from the layers behind: Keras's Masking.
/// `layers::masking`, `layers::masking(-1_c)`.
template <class Number>
struct masking_layer : detail::called_alone<masking_layer<Number>> {
  static constexpr fixed_string kind = "masking";
  static constexpr bool sees_masks = true;
  using detail::called_alone<masking_layer>::operator();

  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    return etch::detail::in_scope<name_of<Name>>(where(expand_dims(seen(x), axis<-1>), x, 0_c), x);
  }
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask) const {
    return detail::masked{call<Name>(x, mode), seen(x)};
  }
  template <class N>
    requires(etch::detail::is_literal<N>)
  constexpr masking_layer<N> operator()(N) const {
    return {};
  }

 private:
  template <class X>
  static constexpr auto seen(X x) {
    return reduce_any(x != Number{}, axis<-1>);
  }
};
inline constexpr masking_layer<decltype(0_c)> masking{};

}  // namespace etch::layers
