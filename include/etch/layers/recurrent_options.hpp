// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/activations.hpp>
#include <etch/layers/orthogonal.hpp>
#include <etch/layers/regularization.hpp>

/// What is said of a recurrent layer behind its name, in any order.
namespace etch::layers {

/// The outputs of all steps (batch, steps, units) instead of the last one's.
inline constexpr struct return_sequences {
} return_sequences;
/// A tuple: what the layer gives, then its last states.
inline constexpr struct return_state {
} return_state;
/// From the last step on; outputs of all steps come in that order, too, as Keras's do.
inline constexpr struct go_backwards {
} go_backwards;
/// The activation of gates, `sigmoid` unless told.
template <activation A>
struct recurrent_activation_of {};
template <activation A>
constexpr recurrent_activation_of<A> recurrent_activation(A) {
  return {};
}

/// `gru`: the reset gate before the product with the state, Keras's `reset_after=False` (Cho and others 2014). Its bias is (3 * Units).
inline constexpr struct reset_before {
} reset_before;

/// A share of the state's elements that are zeroed before the product with its kernel, in training: the same elements at each step of a batch (Gal,
/// Ghahramani 2016). `layers::lstm<64>(layers::recurrent_dropout(0.2_c))`.
template <class Rate>
struct recurrent_dropout_of {
  using state_rate = Rate;
};
template <class Rate>
constexpr recurrent_dropout_of<Rate> recurrent_dropout(Rate) {
  return {};
}

/// How the kernel of the state starts, `orthogonal` unless told. In a block of `repeat` it is to be made of draws by elementwise ops, as
/// `glorot_uniform` is.
template <class I>
struct recurrent_initializer_of {};
template <class I>
constexpr recurrent_initializer_of<I> recurrent_initializer(I) {
  return {};
}

namespace detail {

/// What options say, in any order.
template <class Activation = std::remove_const_t<decltype(tanh)>, class Recurrent = std::remove_const_t<decltype(sigmoid)>,
          class Start = struct initializers::orthogonal>
struct recurrent_options {
  using activation = Activation;
  using recurrent = Recurrent;
  using start = Start;
  template <class A>
  static recurrent_options<A, Recurrent, Start> with(A);
  template <class A>
  static recurrent_options<Activation, A, Start> with(recurrent_activation_of<A>);
  template <class I>
  static recurrent_options<Activation, Recurrent, I> with(recurrent_initializer_of<I>);
  static recurrent_options with(struct return_sequences);
  static recurrent_options with(struct return_state);
  static recurrent_options with(struct go_backwards);
  static recurrent_options with(struct reset_before);
  template <class Rate>
  static recurrent_options with(regularization_layer<dropout_kind, Rate>);
  template <class Rate>
  static recurrent_options with(recurrent_dropout_of<Rate>);
};
template <class Known>
Known options_after(Known);
template <class Known, class Option, class... More>
auto options_after(Known, Option, More... more) -> decltype(options_after(Known::with(Option{}), more...));

template <class Rate>
constexpr regularization_layer<spatial_dropout_kind, Rate> spatial(regularization_layer<dropout_kind, Rate>) {
  return {};
}
/// x without the elements that are dropped at all steps, where an option says so, in training.
template <fixed_string Name, class Mode, class X>
constexpr auto input_dropout(X x) {
  return x;
}
template <fixed_string Name, class Mode, class X, class Option, class... Options>
constexpr auto input_dropout(X x, Option option, Options... more) {
  if constexpr (requires { spatial(option); })
    return spatial(option).template call<Name / "dropout">(x, Mode{});
  else
    return input_dropout<Name, Mode>(x, more...);
}
/// What the state is multiplied by before its product: scaled ones and zeros (batch, Units), or nothing.
struct undropped {
  template <class H>
  constexpr H operator()(H h) const {
    return h;
  }
};
template <class Factors>
struct dropped_by {
  template <class H>
  constexpr auto operator()(H h) const {
    return h * Factors{};
  }
};
template <fixed_string Name, class Mode, class H>
constexpr undropped state_dropout(H) {
  return {};
}
template <fixed_string Name, class Mode, class H, class Option, class... Options>
constexpr auto state_dropout(H h, Option, Options... more) {
  if constexpr (std::is_same_v<Mode, struct nn::training> && requires { typename Option::state_rate; })
    return dropped_by<decltype(etch::dropout<Name / "recurrent_dropout">(ones<typename H::value_type>(typename H::shape_type{}),
                                                                         typename Option::state_rate{}))>{};
  else
    return state_dropout<Name, Mode>(h, more...);
}

}  // namespace detail

}  // namespace etch::layers
