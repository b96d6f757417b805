// SPDX-License-Identifier: MIT
#pragma once
/// The losses of a GRU (Cho and others 2014) and of an LSTM (Hochreiter, Schmidhuber 1997; with the forget gate of Gers and others 2000), each
/// unrolled over 16 steps.
#include <etch/etch.hpp>

using namespace etch::literals;

constexpr int batch = 16, inputs = 8, units = 32, length = 16;

constexpr etch::placeholder<"x", float, batch, length, inputs> x;
constexpr etch::placeholder<"y", float, batch, 1> y;

template <etch::fixed_string Gate>
constexpr auto gate(auto input, auto state) {
  return etch::nn::dense<Gate, units>(etch::concat(etch::axis<1>, input, state));
}
template <int T>
constexpr auto input_at() {
  return etch::reshape(etch::slice(x, etch::section<>, etch::section<T, T + 1>), etch::shape<batch, inputs>{});
}
constexpr auto zero_state() { return etch::zeros(etch::shape<batch, units>{}); }

template <int T = 0>
constexpr auto gru(auto h) {
  if constexpr (T == length) {
    return h;
  } else {
    constexpr auto input = input_at<T>();
    const auto update = etch::sigmoid(gate<"gru/update">(input, h));
    const auto reset = etch::sigmoid(gate<"gru/reset">(input, h));
    const auto candidate = etch::tanh(gate<"gru/candidate">(input, reset * h));
    return gru<T + 1>((1_c - update) * h + update * candidate);
  }
}
template <int T = 0>
constexpr auto lstm(auto h, auto cell) {
  if constexpr (T == length) {
    return h;
  } else {
    constexpr auto input = input_at<T>();
    const auto kept = etch::sigmoid(gate<"lstm/forget">(input, h)) * cell;
    const auto next = kept + etch::sigmoid(gate<"lstm/input">(input, h)) * etch::tanh(gate<"lstm/cell">(input, h));
    return lstm<T + 1>(etch::sigmoid(gate<"lstm/output">(input, h)) * etch::tanh(next), next);
  }
}
template <etch::fixed_string Name>
constexpr auto loss_of(auto state) {
  return etch::nn::mean_squared_error(etch::nn::dense<Name, 1>(state), y);
}
