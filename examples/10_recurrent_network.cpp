// SPDX-License-Identifier: MIT
// A GRU (Cho and others 2014) and an LSTM (Hochreiter and Schmidhuber 1997) learn which character of a text comes next, 16 characters
// of 8 places a run; what they remember is carried from run to run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include <etch/control.hpp>
#include <etch/etch.hpp>

namespace {
using namespace etch::literals;
constexpr int streams = 8, steps = 16, units = 32, characters = 128;
constexpr etch::placeholder<"text", std::uint8_t, steps + 1, streams> text;
constexpr auto inputs = etch::nn::embedding<"embedding", characters, 16>(etch::slice(text, etch::section<0, -1>));

template <etch::fixed_string Gate>
constexpr auto gate(auto input, auto state) {
  return etch::nn::dense<Gate, units>(etch::concat(etch::axis<1>, input, state));
}
constexpr auto gru = [](auto state, auto input) {
  const auto update = etch::sigmoid(gate<"gru/update">(input, state));
  const auto reset = etch::sigmoid(gate<"gru/reset">(input, state));
  const auto next = update * state + (1_c - update) * etch::tanh(gate<"gru/candidate">(input, reset * state));
  return std::pair{next, next};
};
constexpr auto lstm = [](auto state, auto input) {
  const auto [last, kept] = state;
  const auto forget = etch::sigmoid(gate<"lstm/forget">(input, last) + 1_c);
  const auto written = etch::sigmoid(gate<"lstm/input">(input, last));
  const auto next = forget * kept + written * etch::tanh(gate<"lstm/cell">(input, last));
  const auto shown = etch::sigmoid(gate<"lstm/output">(input, last)) * etch::tanh(next);
  return std::pair{std::tuple{shown, next}, shown};
};
constexpr auto nothing = etch::zeros(etch::shape<streams, units>{});
constexpr auto remembered = etch::variable<"g">(nothing, etch::not_trainable);
constexpr auto output = etch::variable<"h">(nothing, etch::not_trainable);
constexpr auto cell = etch::variable<"c">(nothing, etch::not_trainable);

/// Trains for 600 runs, and gives the mean of the last fifty losses: nats for each character, given all before it.
template <etch::fixed_string Name>
double learn(auto outputs, auto carry, const std::string& from) {
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::nn::dense<Name, characters>(decltype(outputs){}),
                                                                          etch::slice(text, etch::section<1>)));
  constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);
  etch::session session(loss, train, carry);
  session.initialize(/*seed*/ 1);
  xt::xtensor<std::uint8_t, 2> part = xt::zeros<std::uint8_t>({steps + 1, streams});
  auto step = session.bind(loss, train, carry, text = part);
  double sum = 0;
  for (std::size_t run = 0, length = from.size() / streams; run < 600; ++run) {
    for (std::size_t i = 0; i < part.size(); ++i)
      part.flat(i) = static_cast<std::uint8_t>(from[i % streams * length + (run * steps + i / streams) % length] & 127);
    const double now = step();
    if (run >= 550) sum += now / 50;
  }
  return sum;
}
}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "/usr/share/common-licenses/GPL-3");
  const std::string from{std::istreambuf_iterator<char>(file), {}};
  if (from.size() < 10'000) return std::fputs("10_recurrent_network: name a text of at least 10,000 characters\n", stderr), 2;
  double without = 0;  // context, from how often each character occurs
  for (int c = 0; c < characters; ++c)
    if (const double n = static_cast<double>(std::count(from.begin(), from.end(), static_cast<char>(c))); n > 0)
      without -= n / static_cast<double>(from.size()) * std::log(n / static_cast<double>(from.size()));

  constexpr auto by_gru = etch::scan(gru, remembered, inputs);
  constexpr auto by_lstm = etch::scan(lstm, std::make_tuple(output, cell), inputs);
  constexpr auto carry_lstm =
      etch::group(etch::assign(output, std::get<0>(std::get<0>(by_lstm))), etch::assign(cell, std::get<1>(std::get<0>(by_lstm))));
  constexpr auto carry_gru = etch::group(etch::assign(remembered, std::get<0>(by_gru)));
  const double with_gru = learn<"gru/logits">(std::get<1>(by_gru), carry_gru, from);
  const double with_lstm = learn<"lstm/logits">(std::get<1>(by_lstm), carry_lstm, from);
  std::printf("nats a character: %.3f without context, %.3f by the GRU, %.3f by the LSTM\n", without, with_gru, with_lstm);
  return with_gru < 0.75 * without && with_lstm < 0.75 * without ? 0 : 1;
}
