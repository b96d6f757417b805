// SPDX-License-Identifier: MIT
// GRUs (Cho and others 2014) over 16 steps of 8 inputs, batch 16, one from the first step on, one from the last, which need nothing of each
// other: forward, and a training step of both, on two threads against one.
#include <string>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

#include "measure.hpp"

using namespace etch::literals;

namespace {

constexpr int batch = 16, inputs = 8, length = 16;
constexpr etch::placeholder<"x", float, length, batch, inputs> x;
constexpr etch::placeholder<"y", float, batch, 1> y;

template <etch::fixed_string Gate, int Units>
constexpr auto gate(auto input, auto state) {
  return etch::nn::dense<Gate, Units>(etch::concat(etch::axis<1>, input, state));
}
template <etch::fixed_string Name, int Units>
constexpr auto last_state(auto sequence) {
  const auto next = [](auto h, auto input) {
    const auto update = etch::sigmoid(gate<Name + " update", Units>(input, h));
    const auto reset = etch::sigmoid(gate<Name + " reset", Units>(input, h));
    const auto candidate = etch::tanh(gate<Name + " candidate", Units>(input, reset * h));
    return (1_c - update) * h + update * candidate;
  };
  return etch::scan(next, etch::zeros(etch::shape<batch, Units>{}), sequence);
}

template <int Units>
void measure_both() {
  const auto both = etch::concat(etch::axis<1>, last_state<"forth", Units>(x), last_state<"back", Units>(etch::flip(x)));
  const auto loss = etch::nn::mean_squared_error(etch::nn::dense<"output", 1>(both), y);
  const auto train = etch::optimizers::sgd(1e-2_c).minimize(loss);
  xt::xtensor<float, 3> sequence(std::array<std::size_t, 3>{length, batch, inputs});
  xt::xtensor<float, 2> wanted(std::array<std::size_t, 2>{batch, 1});
  bench::fill(sequence.data(), sequence.size(), -1, 1, 1);
  bench::fill(wanted.data(), wanted.size(), -1, 1, 2);

  etch::thread_pool pool(2);
  etch::session one(both, loss, train), two(both, loss, train);
  two.set_executor(&pool);
  one.initialize(42);
  two.initialize(42);
  auto forward = one.bind(both, x = sequence), shared_forward = two.bind(both, x = sequence);
  auto step = one.bind(loss, train, x = sequence, y = wanted), shared_step = two.bind(loss, train, x = sequence, y = wanted);
  for (int i = 0; i < 100; ++i) {
    const float expected = step(), value = shared_step();
    bench::check("two threads, training", &value, {expected}, 0, 1);
  }
  const auto& expected = forward();
  bench::check("two threads, forward", shared_forward().data(), {expected.begin(), expected.end()}, 0, 1);

  const bench::effort effort{101, 0.002, CLOCK_MONOTONIC};
  const std::string size = std::to_string(Units) + " units, ";
  bench::print(size + "forward", bench::measure({{"two threads", [&] { shared_forward(); }}, {"one", [&] { forward(); }}}, effort));
  bench::print(size + "training step", bench::measure({{"two threads", [&] { shared_step(); }}, {"one", [&] { step(); }}}, effort));
}

}  // namespace

int main() {
  bench::heading("Two scanned GRUs at the same time");
  measure_both<32>();
  measure_both<128>();
}
