// SPDX-License-Identifier: MIT
// P7 (e): a training step of a GRU (Cho and others 2014) unrolled over ETCH_STEPS steps, by gradient descent.
// ETCH_SCAN: the steps are a loop of the graph. ETCH_PLAN_ONLY: the plan alone, no kernels.
#ifdef ETCH_SCAN
#include <etch/control.hpp>
#endif
#include <etch/etch.hpp>

using namespace etch::literals;

constexpr int batch = 16, inputs = 8, units = 32, length = ETCH_STEPS;

constexpr etch::placeholder<"x", float, batch, length, inputs> x;
constexpr etch::placeholder<"y", float, batch, 1> y;

template <etch::fixed_string Gate>
constexpr auto gate(auto input, auto state) {
  return etch::nn::dense<Gate, units>(etch::concat(etch::axis<1>, input, state));
}
constexpr auto next_state(auto h, auto input) {
  const auto update = etch::sigmoid(gate<"update">(input, h));
  const auto reset = etch::sigmoid(gate<"reset">(input, h));
  const auto candidate = etch::tanh(gate<"candidate">(input, reset * h));
  return (1_c - update) * h + update * candidate;
}
template <int T>
constexpr auto state() {
  if constexpr (T == 0) {
    return etch::zeros(etch::shape<batch, units>{});
  } else {
    constexpr auto input = etch::reshape(etch::slice(x, etch::section<>, etch::section<T - 1, T>), etch::shape<batch, inputs>{});
    return next_state(state<T - 1>(), input);
  }
}
constexpr auto last_state() {
#ifdef ETCH_SCAN
  return etch::scan([](auto h, auto input) { return next_state(h, input); }, state<0>(), etch::transpose(x, etch::axis<1, 0, 2>));
#else
  return state<length>();
#endif
}

int main() {
  constexpr auto loss = etch::nn::mean_squared_error(etch::nn::dense<"output", 1>(last_state()), y);
  constexpr auto train = etch::optimizers::sgd(1e-1_c).minimize(loss);
#ifdef ETCH_PLAN_ONLY
  constexpr auto plan = etch::plan_of(loss, train, x, y);
  return plan.kernel_count + 1000 * plan.nodes_before;
#else
  etch::session session(loss, train);
  session.initialize(42);
  xt::xtensor<float, 3> a = xt::xtensor<float, 3>::from_shape({batch, length, inputs});
  xt::xtensor<float, 2> b = xt::xtensor<float, 2>::from_shape({batch, 1});
  for (std::size_t i = 0; i < a.size(); ++i) a.flat(i) = static_cast<float>(i % 97) / 97.f - 0.5f;
  for (std::size_t i = 0; i < b.size(); ++i) b.flat(i) = static_cast<float>(i % 7) / 7.f;
  auto step = session.bind(loss, train, x = a, y = b);
  const float before = step();
  for (int i = 0; i < 50; ++i) step();
  return step() < before ? 0 : 1;
#endif
}
