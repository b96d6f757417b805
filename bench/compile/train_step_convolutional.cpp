// SPDX-License-Identifier: MIT
// P7 (c): P6's training step of the convolutional network of 3,274,634 parameters, and the prediction, each of which is a plan.
#include <cstdint>

#include <etch/convolution.hpp>
#include <etch/etch.hpp>

using namespace etch::literals;

template <etch::fixed_string Name, int Filters>
constexpr auto layer(auto x) {
  return etch::max_pool2d(etch::relu(etch::nn::conv2d<Name, Filters, 5>(x, etch::same_padding)), etch::window<2>);
}

int main() {
  static constexpr etch::placeholder<"images", float, 50, 28, 28, 1> images;
  static constexpr etch::placeholder<"labels", std::int32_t, 50> labels;
  constexpr auto features = etch::nn::flatten(layer<"second", 64>(layer<"first", 32>(images)));
  constexpr auto logits = etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 1024>(features)));
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  etch::session session(loss, train, logits);
  session.initialize(42);
  xt::xtensor<float, 4> x = xt::xtensor<float, 4>::from_shape({50, 28, 28, 1});
  xt::xtensor<std::int32_t, 1> y = xt::xtensor<std::int32_t, 1>::from_shape({50});
  x.fill(0.5f);
  y.fill(3);
  auto step = session.bind(loss, train, images = x, labels = y);
  const float before = step();
  for (int i = 0; i < 10; ++i) step();
  const xt::xtensor<float, 2> z = session.run(logits, images = x);
  return step() < before && z(0, 3) > z(0, 2) ? 0 : 1;
}
