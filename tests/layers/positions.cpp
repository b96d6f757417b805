// SPDX-License-Identifier: MIT
#include <etch/layers/positions.hpp>
#include "agrees.hpp"

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"batch">, any<"steps">, 6> x;

/// (2, 5, 6)
xt::xtensor<float, 3> input() {
  xt::xtensor<float, 3> a = xt::zeros<float>({2, 5, 6});
  const auto values = layers_test::filled(a.size(), 7, 1);
  std::copy(values.begin(), values.end(), a.begin());
  return a;
}

}  // namespace

TEST_CASE("layers: sinusoidal_positions adds the sines of Vaswani and others") {
  constexpr auto y = layers::sinusoidal_positions(x);
  session s(y);
  const auto in = input();
  const xt::xtensor<float, 3> out = s.run(y, x = in);
  for (std::size_t step = 0; step < 5; ++step)
    for (std::size_t i = 0; i < 6; ++i) {
      const double angle = static_cast<double>(step) / std::pow(10000.0, 2.0 * static_cast<double>(i / 2) / 6.0);
      const double expected = static_cast<double>(in(1, step, i)) + (i % 2 == 0 ? std::sin(angle) : std::cos(angle));
      CHECK(std::abs(static_cast<double>(out(1, step, i)) - expected) < 1e-6);
    }
}
TEST_CASE("layers: sinusoidal_positions of an odd width have KerasHub's exponents") {
  constexpr placeholder<"odd", float, 1, 4, 3> odd;
  constexpr auto y = layers::sinusoidal_positions(odd);
  session s(y);
  const xt::xtensor<float, 3> out = s.run(y, odd = xt::xtensor<float, 3>(xt::zeros<float>({1, 4, 3})));
  for (std::size_t step = 0; step < 4; ++step)
    for (std::size_t i = 0; i < 3; ++i) {
      const double angle = static_cast<double>(step) / std::pow(10000.0, 2.0 * static_cast<double>(i / 2) / 3.0);
      CHECK(std::abs(static_cast<double>(out(0, step, i)) - (i % 2 == 0 ? std::sin(angle) : std::cos(angle))) < 1e-6);
    }
}
TEST_CASE("layers: rotary_positions turns pairs of features by their step") {
  constexpr auto y = layers::rotary_positions(x);
  session s(y);
  const auto in = input();
  const xt::xtensor<float, 3> out = s.run(y, x = in);
  for (std::size_t step = 0; step < 5; ++step)
    for (std::size_t i = 0; i < 3; ++i) {
      const double angle = static_cast<double>(step) * std::pow(10000.0, -2.0 * static_cast<double>(i) / 6.0);
      const double a = static_cast<double>(in(1, step, i)), b = static_cast<double>(in(1, step, i + 3));
      CHECK(std::abs(static_cast<double>(out(1, step, i)) - (a * std::cos(angle) - b * std::sin(angle))) < 1e-6);
      CHECK(std::abs(static_cast<double>(out(1, step, i + 3)) - (a * std::sin(angle) + b * std::cos(angle))) < 1e-6);
    }
}
TEST_CASE("layers: position_embedding adds a row for each step, which it learns") {
  constexpr auto net = sequential(layers::position_embedding<8>, layers::sinusoidal_positions);
  constexpr auto y = layers::position_embedding<8>(x);
  constexpr auto in_sequence = net(x);
  session s(y, in_sequence, optimizers::sgd(1_c).minimize(sum(y)));
  s.initialize(5);
  const auto in = input();
  const xt::xtensor<float, 3> out = s.run(y, x = in);
  const auto rows = s.get<"position_embedding/embeddings">();
  CHECK(rows.shape()[0] == 8);
  for (std::size_t step = 0; step < 5; ++step) CHECK(out(1, step, 2) == in(1, step, 2) + rows(step, 2));
  s.run(optimizers::sgd(1_c).minimize(sum(y)), x = in);
  const auto learnt = s.get<"position_embedding/embeddings">();
  CHECK(learnt(4, 0) == doctest::Approx(rows(4, 0) - 2));
  CHECK(learnt(5, 0) == rows(5, 0));
}
