// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/recurrent.hpp>

namespace etch::layers {

namespace detail {
struct concatenated {
  template <expression A, expression B>
  constexpr auto operator()(A a, B b) const {
    return concat(axis<-1>, a, b);
  }
};
}  // namespace detail

/// A recurrent layer forwards and, with other variables, backwards, outputs of each step side by side: Keras's Bidirectional. Variables:
/// `bidirectional/forward_lstm/...`, `bidirectional/backward_lstm/...`. Behind the layer a function of both outputs: `etch::add` for
/// merge_mode="sum". With `return_state` the states that went forwards come first. Outputs of all steps are 0 at those that a mask hides, as
/// Keras's. A layer that is `go_backwards` changes the two directions, and outputs of all steps are from the last step on, as in Keras.
template <class L, class Merge>
struct bidirectional_layer : detail::called_alone<bidirectional_layer<L, Merge>> {
  static constexpr fixed_string kind = "bidirectional";
  static constexpr bool sees_masks = true;
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask mask) const {
    if constexpr (L::template has<struct return_sequences>)
      return detail::masked{call<Name>(x, mode, mask), in_order(mask)};
    else
      return detail::masked{call<Name>(x, mode, mask), detail::no_mask{}};
  }
  template <fixed_string Name, expression X, class Mode, class Mask = detail::no_mask>
  constexpr auto call(X x, Mode, Mask mask = {}) const {
    if constexpr (!detail::takes_sequence<"layers::bidirectional", X>()) {
      return etch::detail::refused(x);
    } else {
      const auto [forward, last] = L::template run<Name / ("forward_" + L::kind), backwards, Mode>(x, mask);
      const auto [backward, first] = L::template run<Name / ("backward_" + L::kind), !backwards, Mode>(x, mask);
      return etch::detail::in_scope<name_of<Name>>(
          L::with_states(Merge{}(in_order(seen_of(forward, mask)), in_order(seen_of(backward, mask))), last, first), x);
    }
  }

 private:
  static constexpr bool backwards = L::template has<struct go_backwards>;
  /// Of what is at its step's place, without the steps that are hidden.
  template <class Y, class Mask>
  static constexpr auto seen_of(Y y, Mask mask) {
    if constexpr (expression<Mask> && L::template has<struct return_sequences>)
      return where(expand_dims(mask, axis<-1>), y, 0_c);
    else
      return y;
  }
  /// Of what is at its step's place.
  template <class Y>
  static constexpr auto in_order(Y y) {
    if constexpr (backwards && L::template has<struct return_sequences> && expression<Y>)
      return flip(y, axis<1>);
    else
      return y;
  }
};
template <class L, class Merge = detail::concatenated>
  requires(requires { typename L::options; } && layer_like<Merge>)
constexpr bidirectional_layer<L, Merge> bidirectional(L, Merge = {}) {
  return {};
}

}  // namespace etch::layers
