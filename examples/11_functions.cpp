// SPDX-License-Identifier: MIT
// Traced functions: what docs/functions.md explains. A training step as a function, which is called with eager tensors.
#include <cmath>
#include <cstdio>

#include <etch/function.hpp>
#include <etch/tape.hpp>

using namespace etch::literals;

int main() {
  int traces = 0;

  // One trace for all extents: those of a and b are taken for one, since they meet.
  etch::function distance([&](auto a, auto b) {
    ++traces;
    return etch::sqrt(etch::sum(etch::square(a - b)));
  });
  using vector = etch::tensor<float, 1>;
  const float two = distance(vector{3, 0}, vector{0, 4}).item();
  const float three = distance(vector{1, 2, 2}, vector{0, 0, 0}).item();
  std::printf("distances %.1f and %.1f, traced %d time\n", two, three, traces);
  bool refused = false;
  try {
    distance(vector{1, 2}, vector{1, 2, 3});
  } catch (const etch::error& e) {
    std::printf("%s\n", e.what());
    refused = true;
  }

  // A tape goes through a call.
  const vector p = {3, 4};
  etch::tape tape;
  const auto length = distance(p, vector{0, 0});
  const auto direction = tape.gradient(length, p);
  std::printf("the gradient of |p| is (%.1f, %.1f)\n", direction(0), direction(1));

  // A training step: the variables are the function's own, and stay between calls.
  etch::function train(
      [](auto x, auto y) {
        const auto hidden = etch::tanh(etch::nn::dense<"hidden", 16>(x));
        const auto loss = etch::nn::mean_squared_error(etch::nn::dense<"out", 1>(hidden), y);
        return std::tuple{loss, etch::optimizers::adam(0.01_c).minimize(loss)};
      },
      etch::input_signature<etch::tensor_spec<float, etch::any<"n">, 1>, etch::tensor_spec<float, etch::any<"n">, 1>>);
  train.initialize(7);
  xt::xtensor<float, 2> x = xt::zeros<float>({64, 1}), y = x;
  for (std::size_t i = 0; i < 64; ++i) {
    x(i, 0) = static_cast<float>(i) / 32.f - 1.f;
    y(i, 0) = std::sin(3.f * x(i, 0));
  }
  float first = 0, last = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto [loss] = train(x, y);
    last = loss.item();
    if (i == 0) first = last;
  }
  std::printf("loss %.4f, after 2,000 steps %.6f, of %zu variables\n", first, last, train.variables().size());

  return traces == 1 && two == 5 && three == 3 && refused && std::abs(direction(0) - 0.6f) < 1e-6f && last < 1e-3f &&
                 train.trace_count() == 1
             ? 0
             : 1;
}
