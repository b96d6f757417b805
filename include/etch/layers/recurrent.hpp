// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control.hpp>
#include <etch/layers/masks.hpp>
#include <etch/layers/recurrent_cells.hpp>

/// Layers with a state, over sequences (batch, steps, features): a loop over the steps.
namespace etch::layers {

namespace detail {

/// `lstm/lstm_cell/kernel`
template <fixed_string Name, fixed_string Kind>
struct recurrent_names {
  using cell = join<join<name_of<Name>, name_of<"/">>, join<name_of<Kind>, name_of<"_cell/">>>;
  using kernel = join<cell, name_of<"kernel">>;
  using recurrent_kernel = join<cell, name_of<"recurrent_kernel">>;
  using bias = join<cell, name_of<"bias">>;
};

template <class S>
constexpr auto first_state(S s) {
  if constexpr (requires { std::tuple_size<S>::value; })
    return std::get<0>(s);
  else
    return s;
}

/// The next state where a step is seen (batch), else the last one.
template <class Next, class State, expression M>
constexpr auto where_seen(M seen, Next next, State last) {
  const auto mask = expand_dims(seen, axis<-1>);
  if constexpr (requires { std::tuple_size<Next>::value; })
    return std::tuple{where(mask, std::get<0>(next), std::get<0>(last)), where(mask, std::get<1>(next), std::get<1>(last))};
  else
    return where(mask, next, last);
}

/// A layer over the steps of x, first state given or zero.
template <class Cell, int Units, class Options, bool Sequences, bool Backwards, fixed_string Name, class Mode, expression X,
          class Mask, class... Words, expression... First>
constexpr auto recurrent(X all, Mask mask, std::tuple<Words...>, First... first) {
  const auto x = input_dropout<Name, Mode>(all, Words{}...);
  using T = typename X::value_type;
  using names = recurrent_names<Name, Cell::kind>;
  constexpr auto features = extent_along<-1>(typename X::shape_type{});
  constexpr int width = Cell::gates * Units;
  const auto kernel =
      nn::detail::layer_variable<typename names::kernel, T, struct initializers::glorot_uniform>(shape<features, width>{});
  const auto recurrent_kernel =
      nn::detail::layer_variable<typename names::recurrent_kernel, T, typename Options::start>(shape<Units, width>{});
  const auto bias =
      nn::detail::layer_variable<typename names::bias, T, typename Cell::bias_start>(typename Cell::template bias_shape<Units>{});
  const auto given = matmul(transpose(x, axis<1, 0, 2>), kernel) + Cell::of_input(bias);
  const auto start = [&] {
    constexpr auto zero = zeros<T>(shape<extent_along<0>(typename X::shape_type{}), Units>{});
    if constexpr (sizeof...(First) > 1)
      return std::tuple{first...};
    else if constexpr (sizeof...(First) == 1)
      return (first, ...);
    else if constexpr (Cell::states == 1)
      return zero;
    else
      return std::tuple{zero, zero};
  }();
  const auto kept = state_dropout<Name, Mode>(first_state(start), Words{}...);
  const auto step = [=](auto state, auto input, auto... seen) {
    const auto made = Cell::template step<Options>(input, state, kept, recurrent_kernel, bias);
    const auto next = [&] {
      if constexpr (sizeof...(seen) > 0)
        return where_seen(seen..., made, state);
      else
        return made;
    }();
    if constexpr (Sequences)
      return std::pair{next, first_state(next)};
    else
      return next;
  };
  const auto loop = [&](auto... sequences) {
    if constexpr (Backwards)
      return scan(step, start, sequences..., reverse);
    else
      return scan(step, start, sequences...);
  };
  if constexpr (std::is_same_v<Mask, no_mask>)
    return loop(given);
  else
    return loop(given, transpose(mask, axis<1, 0>));
}

/// The cell that options choose.
template <class Cell, bool ResetsBefore>
struct cell_with {
  using type = Cell;
};
template <class Cell>
  requires requires { typename Cell::with_reset_before; }
struct cell_with<Cell, true> {
  using type = typename Cell::with_reset_before;
};

}  // namespace detail

/// A recurrent layer of Keras, with its variables: `lstm/lstm_cell/kernel` (features, gates * Units), `recurrent_kernel` (Units, gates *
/// Units) and `bias`, gates in its order. Options, in any order: an activation, `recurrent_activation(...)`, `return_sequences`,
/// `return_state`, `go_backwards`, `recurrent_initializer(...)`, `dropout(0.1_c)` of the input, `recurrent_dropout(0.1_c)`, each of the same
/// elements at all steps. `layers::lstm<64>(x, h, c)` begins with the states h and c (batch, Units); zeros where
/// there are none. With a mask behind x, bools (batch, steps), steps that are false leave states and output as they were.
template <class Cell, int Units, class... Options>
struct recurrent_layer : detail::called_alone<recurrent_layer<Cell, Units, Options...>> {
  static constexpr auto kind = Cell::kind;
  static constexpr bool sees_masks = true;
  template <class Option>
  static constexpr bool has = (std::is_same_v<Option, Options> || ...);
  using options = decltype(detail::options_after(detail::recurrent_options<>{}, Options{}...));
  static_assert(activation<typename options::activation>, "layers: an activation has neither variables nor a mode");
  static constexpr bool resets_before = has<struct reset_before>;
  static_assert(!resets_before || requires { typename Cell::with_reset_before; }, "layers: reset_before is an option of gru");
  using cell = typename detail::cell_with<Cell, resets_before>::type;
  using detail::called_alone<recurrent_layer>::operator();

  template <fixed_string Name, expression X, class Mode, expression... First>
  constexpr auto call(X x, Mode, First... first) const {
    return make<Name, Mode>(x, detail::no_mask{}, first...);
  }
  template <fixed_string Name, expression X, class Mode, expression Mask, expression... First>
    requires std::is_same_v<typename Mask::value_type, bool>
  constexpr auto call(X x, Mode, Mask mask, First... first) const {
    return make<Name, Mode>(x, mask, first...);
  }
  /// Outputs of all steps have the mask of x, those from the last on in that order; the last one has none.
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode, Mask mask) const {
    const auto y = make<Name, Mode>(x, mask);
    if constexpr (!has<struct return_sequences> || std::is_same_v<Mask, detail::no_mask>)
      return detail::masked{y, detail::no_mask{}};
    else if constexpr (has<struct go_backwards>)
      return detail::masked{y, flip(mask, axis<1>)};
    else
      return detail::masked{y, mask};
  }
  /// A pair of the outputs, each at its step's place, or of the last one, and of the last states.
  template <fixed_string Name, bool Backwards, class Mode, expression X, class Mask, expression... First>
  static constexpr auto run(X x, Mask mask, First... first) {
    const auto made = detail::recurrent<cell, Units, options, has<struct return_sequences>, Backwards, Name, Mode>(
        x, mask, std::tuple<Options...>{}, first...);
    if constexpr (has<struct return_sequences>)
      return std::pair{transpose(std::get<1>(made), axis<1, 0, 2>), std::get<0>(made)};
    else
      return std::pair{detail::first_state(made), made};
  }
  /// What a layer with `return_state` gives: y, then states.
  template <class Y, class... S>
  static constexpr auto with_states(Y y, S... states) {
    if constexpr (!has<struct return_state>)
      return y;
    else if constexpr (Cell::states == 1)
      return std::tuple{y, states...};
    else
      return std::tuple_cat(std::tuple{y}, states...);
  }
  template <class... O>
    requires(sizeof...(O) > 0 && ((!expression<O> && std::is_empty_v<O>) && ...))
  constexpr recurrent_layer<Cell, Units, Options..., O...> operator()(O...) const {
    return {};
  }

 private:
  template <fixed_string Name, class Mode, expression X, class Mask, expression... First>
  static constexpr auto make(X x, Mask mask, First... first) {
    constexpr bool backwards = has<struct go_backwards>;
    if constexpr (!detail::takes_sequence<"layers::" + kind, X>()) {
      return etch::detail::refused(x);
    } else if constexpr (sizeof...(First) != 0 && sizeof...(First) != Cell::states) {
      return etch::detail::refusal<a_recurrent_layer_begins_with_all_of_its_states_or_none, in_function<"layers::" + kind>,
                                   shown<First>..., expected<number_of_operands<Cell::states>>>(x);
    } else {
      const auto made = run<Name, backwards, Mode>(x, mask, first...);
      return etch::detail::in_scope<name_of<Name>>(
          [&] {
            if constexpr (backwards && has<struct return_sequences>)
              return with_states(flip(made.first, axis<1>), made.second);
            else
              return with_states(made.first, made.second);
          }(),
          x);
    }
  }
};

/// h' = tanh(x kernel + h recurrent_kernel + bias).
template <int Units>
inline constexpr recurrent_layer<detail::simple_rnn_cell, Units> simple_rnn{};
/// A gated recurrent unit (Cho and others 2014), Keras's with `reset_after`: bias (2, 3 * Units), of x's products and of the state's. Without it:
/// `layers::gru<64>(layers::reset_before)`.
template <int Units>
inline constexpr recurrent_layer<detail::gru_cell, Units> gru{};
/// A long short-term memory (Hochreiter, Schmidhuber 1997). bias: (4 * Units).
template <int Units>
inline constexpr recurrent_layer<detail::lstm_cell, Units> lstm{};

}  // namespace etch::layers
