// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/recurrent_options.hpp>

/// Cells of recurrent layers: how many gates one has, how many states, the shape and the start of its bias, and a step: of what the input gives to
/// the gates, the last states (a tuple, or one), what drops elements of the output before the product, the kernel of the state and the bias.
/// The next states come back in the same form, the output first.
namespace etch::layers::detail {

/// A cell whose bias, a number for each unit of each gate, is added to what the input gives.
template <int Gates>
struct one_bias_cell {
  static constexpr int gates = Gates, states = 1;
  template <int Units>
  using bias_shape = shape<Gates * Units>;
  using bias_start = struct initializers::zeros;
  template <class Bias>
  static constexpr auto of_input(Bias b) {
    return b;
  }
};

struct simple_rnn_cell : one_bias_cell<1> {
  static constexpr fixed_string kind = "simple_rnn";
  template <class Options, class G, class H, class Kept, class R, class Bias>
  static constexpr auto step(G given, H h, Kept kept, R kernel, Bias) {
    return typename Options::activation{}(given + matmul(kept(h), kernel));
  }
};

/// With the reset gate before the product.
struct gru_before_cell : one_bias_cell<3> {
  static constexpr fixed_string kind = "gru";
  template <class Options, class G, class H, class Kept, class R, class Bias>
  static constexpr auto step(G given, H h, Kept kept, R kernel, Bias) {
    typename Options::recurrent gate;
    constexpr int units = extent_along<-1>(typename H::shape_type{});
    const auto seen = kept(h);
    const auto [update_in, reset_in, next_in] = split<3>(given, axis<-1>);
    const auto [update_of, reset_of] = split<2>(matmul(seen, slice(kernel, section<>, section<0, 2 * units>)), axis<-1>);
    const auto update = gate(update_in + update_of);
    const auto reset = gate(reset_in + reset_of);
    const auto next =
        typename Options::activation{}(next_in + matmul(reset * seen, slice(kernel, section<>, section<2 * units, 3 * units>)));
    return update * h + (1_c - update) * next;
  }
};
/// With the reset gate behind the product, Keras's `reset_after`: PyTorch's GRU, too.
struct gru_cell {
  using with_reset_before = gru_before_cell;
  static constexpr fixed_string kind = "gru";
  static constexpr int gates = 3, states = 1;
  template <int Units>
  using bias_shape = shape<2, 3 * Units>;
  using bias_start = struct initializers::zeros;
  template <class Bias>
  static constexpr auto of_input(Bias b) {
    return squeeze(slice(b, section<0, 1>), axis<0>);
  }
  template <class Options, class G, class H, class Kept, class R, class Bias>
  static constexpr auto step(G given, H h, Kept kept, R kernel, Bias bias) {
    typename Options::recurrent gate;
    const auto [update_in, reset_in, next_in] = split<3>(given, axis<-1>);
    const auto [update_of, reset_of, next_of] =
        split<3>(matmul(kept(h), kernel) + squeeze(slice(bias, section<1, 2>), axis<0>), axis<-1>);
    const auto update = gate(update_in + update_of);
    const auto next = typename Options::activation{}(next_in + gate(reset_in + reset_of) * next_of);
    return update * h + (1_c - update) * next;
  }
};

/// Zeros, but ones for the gate that forgets, which remembers at first (Jozefowicz and others 2015).
struct lstm_bias_start {
  template <class Name, class T, auto Count>
  static constexpr auto make(shape<Count>) {
    constexpr shape<Count / 4> one{};
    return concat(axis<0>, zeros<T>(one), ones<T>(one), zeros<T>(shape<Count / 2>{}));
  }
};
struct lstm_cell : one_bias_cell<4> {
  static constexpr fixed_string kind = "lstm";
  static constexpr int states = 2;
  using bias_start = lstm_bias_start;
  template <class Options, class G, class S, class Kept, class R, class Bias>
  static constexpr auto step(G given, S state, Kept kept, R kernel, Bias) {
    typename Options::recurrent gate;
    typename Options::activation activation;
    const auto [h, cell] = state;
    const auto [input, forget, candidate, output] = split<4>(given + matmul(kept(h), kernel), axis<-1>);
    const auto next = gate(forget) * cell + gate(input) * activation(candidate);
    return std::tuple{gate(output) * activation(next), next};
  }
};

}  // namespace etch::layers::detail
