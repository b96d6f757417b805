// SPDX-License-Identifier: MIT
// P7 (b): P5's training step of the 784-100-10 network, and the prediction, each of which is a plan.
#include <cstdint>

#include <etch/etch.hpp>

using namespace etch::literals;

int main() {
  static constexpr etch::placeholder<"images", float, etch::any<"batch">, 784> images;
  static constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
  constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 100>(images));
  constexpr auto logits = etch::nn::dense<"logits", 10>(hidden);
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  etch::session session(loss, train, logits);
  session.initialize(42);
  xt::xtensor<float, 2> x = xt::xtensor<float, 2>::from_shape({50, 784});
  xt::xtensor<std::int32_t, 1> y = xt::xtensor<std::int32_t, 1>::from_shape({50});
  x.fill(0.5f);
  y.fill(3);
  auto step = session.bind(loss, train, images = x, labels = y);
  const float before = step();
  for (int i = 0; i < 10; ++i) step();
  const xt::xtensor<float, 2> z = session.run(logits, images = x);
  return step() < before && z(0, 3) > z(0, 2) ? 0 : 1;
}
