// SPDX-License-Identifier: MIT
// P7 (e): training steps of a GRU and of an LSTM, each unrolled over 16 steps, by gradient descent, in one program.
#include "recurrent.hpp"

/// Whether 50 steps make the loss smaller.
int train(const auto& loss, const xt::xtensor<float, 3>& a, const xt::xtensor<float, 2>& b) {
  constexpr auto descent = etch::optimizers::sgd(1e-1_c);
  etch::session session(loss, descent.minimize(loss));
  session.initialize(42);
  auto step = session.bind(loss, descent.minimize(loss), x = a, y = b);
  const float before = step();
  for (int i = 0; i < 50; ++i) step();
  return step() < before ? 0 : 1;
}

int main() {
  xt::xtensor<float, 3> a = xt::xtensor<float, 3>::from_shape({batch, length, inputs});
  xt::xtensor<float, 2> b = xt::xtensor<float, 2>::from_shape({batch, 1});
  for (std::size_t i = 0; i < a.size(); ++i) a.flat(i) = static_cast<float>(i % 97) / 97.f - 0.5f;
  for (std::size_t i = 0; i < b.size(); ++i) b.flat(i) = static_cast<float>(i % 7) / 7.f;
  return train(loss_of<"gru/out">(gru(zero_state())), a, b) + train(loss_of<"lstm/out">(lstm(zero_state(), zero_state())), a, b);
}
