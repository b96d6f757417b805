// SPDX-License-Identifier: MIT
// A GRU learns which character of a text comes next, from windows of its lines, and then writes some text itself: each character is drawn by
// what it expects, at a high temperature more boldly. A text of 200 characters is one run: the loop over them is part of the graph.
#include <cstdio>
#include <filesystem>
#include <string>

#include <etch/control.hpp>
#include <etch/data.hpp>
#include <etch/data/text_lines.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/layers.hpp>
#include <etch/layers/recurrent.hpp>

using namespace etch::literals;

namespace {

constexpr int characters = 128, units = 64, window = 32, length = 200;
constexpr etch::placeholder<"window", std::int32_t, etch::any<"batch">, window + 1> text;
constexpr etch::placeholder<"temperature", float> temperature;

/// What comes next at each place of a text (batch, steps), as logits, and the last state.
constexpr auto expected(auto places, auto... first_state) {
  const auto [outputs, last] = etch::layers::gru<units>(etch::layers::return_sequences, etch::layers::return_state)(
      etch::layers::embedding<characters, 32>(places), first_state...);
  return std::tuple{etch::layers::dense<characters>(outputs), last};
}

constexpr auto loss = etch::mean(
    etch::nn::sparse_softmax_cross_entropy(std::get<0>(expected(etch::slice(text, etch::section<>, etch::section<0, window>))),
                                           etch::slice(text, etch::section<>, etch::section<1>)));
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);

/// A draw from the distribution of the logits is their largest, with Gumbel noise: -log(-log(u)) of uniform numbers u.
constexpr auto write = [](auto state, auto u) {
  const auto [character, memory] = state;
  const auto [logits, next_memory] = expected(character, memory);
  const auto drawn = etch::argmax(logits / temperature - etch::log(1e-9_c - etch::log(u + 1e-9_c)), etch::axis<-1>);
  const auto next = etch::astype<std::int32_t>(drawn);
  return std::pair{std::tuple{next, next_memory}, next};
};
constexpr auto written =
    std::get<1>(etch::scan(write,
                           std::tuple{etch::full<std::int32_t>(etch::shape<1, 1>{}, etch::literal<static_cast<int>('\n')>),
                                      etch::zeros(etch::shape<1, units>{})},
                           etch::random_uniform<"noise">(etch::shape<length, 1, 1, characters>{})));
}  // namespace

int main(int argc, char** argv) {
  const auto file =
      argc > 1 ? std::filesystem::path(argv[1]) : std::filesystem::path(__FILE__).parent_path() / "../docs/control_flow.md";
  std::string from;
  for (const std::string& line : etch::data::text_lines(file)) from += line + "\n";
  if (from.size() < 1000) return std::fputs("18_text_generation: name a text of at least 1000 characters\n", stderr), 2;

  auto windows = etch::data::range(static_cast<std::int64_t>(from.size()) - window)
                     .shuffle(10'000, /*seed*/ 1)
                     .map([&](std::int64_t at) {
                       xt::xtensor<std::int32_t, 1> part = xt::zeros<std::int32_t>({window + 1});
                       for (std::size_t i = 0; i <= window; ++i) part(i) = from[static_cast<std::size_t>(at) + i] & 127;
                       return part;
                     })
                     .batch(16);
  etch::session session(loss, train, written);
  session.initialize(/*seed*/ 1);
  float now = 0;
  for (int step = 0; auto part : windows.take(401)) {
    now = session.run(loss, train, text = part);
    if (step++ % 100 == 0) std::printf("step %3d: %.2f nats a character\n", step, static_cast<double>(now));
  }
  for (const float t : {0.5f, 1.f}) {
    std::printf("--- temperature %.1f\n", static_cast<double>(t));
    for (const std::int32_t c : session.run(written, temperature = t)) std::putchar(c);
    std::putchar('\n');
  }
  return now < 2.4f ? 0 : 1;
}
