// SPDX-License-Identifier: MIT
// Loops and branches that run when the graph runs: what docs/control_flow.md explains.
#include <cmath>
#include <cstdio>

#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"x", float> x;
constexpr etch::placeholder<"signal", float, etch::any<"n">> signal;
constexpr etch::placeholder<"wanted", float, etch::any<"n">> wanted;

// As many steps of Newton's method as it takes.
constexpr auto root =
    etch::while_loop<50>([](auto y) { return etch::abs(y * y - x) > 1e-5_c * x; }, [](auto y) { return 0.5_c * (y + x / y); }, 1_c);
constexpr auto slope_of_root = etch::gradient(root, x);

// Only one of the two is computed.
constexpr auto inverse = etch::cond(x > 1_c, [] { return 1_c / x; }, [] { return 2_c - x; });

// A filter of one pole, whose coefficient is learnt from what it should have given.
constexpr auto coefficient = etch::variable<"coefficient">(etch::literal<0.5f>);
constexpr auto filtered = std::get<1>(etch::scan(
    [](auto state, auto sample) {
      auto next = coefficient * state + (1_c - coefficient) * sample;
      return std::pair{next, next};
    },
    0_c, signal));
constexpr auto loss = etch::mean(etch::square(filtered - wanted));
constexpr auto train = etch::optimizers::sgd(0.2_c).minimize(loss);

}  // namespace

int main() {
  etch::session session(root, slope_of_root, inverse, loss, train);
  session.initialize();

  const auto [y, slope] = session.run(root, slope_of_root, x = 2);
  std::printf("sqrt(2) = %.6f, its slope %.6f\n", y, slope);
  const float large = session.run(inverse, x = 4), small = session.run(inverse, x = 0.5f);

  constexpr std::size_t n = 200;
  xt::xtensor<float, 1> samples = xt::zeros<float>({n}), outputs = xt::zeros<float>({n});
  float state = 0;
  for (std::size_t i = 0; i < n; ++i) {
    samples(i) = std::sin(0.3f * static_cast<float>(i)) + (i % 7 == 0 ? 1.f : 0.f);
    outputs(i) = state = 0.8f * state + 0.2f * samples(i);
  }
  auto step = session.bind(loss, train, signal = samples, wanted = outputs);
  for (int i = 0; i < 500; ++i) step();
  const float learnt = session.get(coefficient);
  std::printf("the filter's coefficient: %.4f\n", learnt);

  return std::abs(y - 1.414214f) < 1e-5f && std::abs(slope - 0.353553f) < 1e-4f && large == 0.25f && small == 1.5f &&
                 std::abs(learnt - 0.8f) < 1e-3f
             ? 0
             : 1;
}
