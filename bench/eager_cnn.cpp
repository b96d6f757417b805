// SPDX-License-Identifier: MIT
// P6: a step of training of the convolutional network of 3,274,634 parameters, batch 50, Adam: in a session, and eagerly, by a tape. TensorFlow
// publishes 1.234 for its graph mode over its eager mode on this network.
#include <cmath>
#include <cstdint>
#include <vector>

#include <etch/tape.hpp>

#include "measure.hpp"
#include "suite/networks.hpp"

using namespace etch::literals;

namespace {

using network = bench::suite::convolutional_network;

/// A variable and Adam's moments of it.
template <int Rank>
struct trained {
  using value = etch::tensor<float, Rank>;
  etch::eager::variable<float, Rank> w;
  etch::eager::variable<float, Rank> m = etch::eager::variable(value(0_c * value(w)));
  etch::eager::variable<float, Rank> v = etch::eager::variable(value(0_c * value(w)));

  void update(const value& slope, float rate) {
    m.assign(0.9_c * m + 0.1_c * slope);
    v.assign(0.999_c * v + 0.001_c * slope * slope);
    w.assign_sub(rate * m / (etch::sqrt(v) + 1e-7_c));
  }
};

void time_step() {
  constexpr auto loss = bench::suite::training<network>::loss;
  constexpr auto train = bench::suite::training<network>::train;
  etch::session session(loss, train);
  session.initialize(42);

  const etch::tensor<float, 4> x = etch::random_uniform<"x">(etch::shape<50, 28, 28, 1>{});
  const etch::tensor<std::int32_t, 1> y = etch::arange<std::int32_t>(etch::shape<50>{}) % 10_c;
  const xt::xtensor<float, 4> fed_images = x;
  const xt::xtensor<std::int32_t, 1> fed_labels = y;
  const auto start = [&](auto slot) { return etch::eager::variable(etch::tensor(session.get(slot))); };
  trained<4> k1{start(etch::find_variable<"first/kernel">(loss))}, k2{start(etch::find_variable<"second/kernel">(loss))};
  trained<2> k3{start(etch::find_variable<"hidden/kernel">(loss))}, k4{start(etch::find_variable<"logits/kernel">(loss))};
  trained<1> b1{start(etch::find_variable<"first/bias">(loss))}, b2{start(etch::find_variable<"second/bias">(loss))},
      b3{start(etch::find_variable<"hidden/bias">(loss))}, b4{start(etch::find_variable<"logits/bias">(loss))};
  auto bound = session.bind(loss, train, network::x = fed_images, network::labels = fed_labels);

  float in_session = 0, eager = 0;
  int steps = 0;
  const auto by_tape = [&] {
    etch::tape tape;
    const auto p1 = etch::max_pool2d(etch::relu(etch::conv2d(x, k1.w, etch::same_padding) + b1.w), etch::window<2>);
    const auto p2 = etch::max_pool2d(etch::relu(etch::conv2d(p1, k2.w, etch::same_padding) + b2.w), etch::window<2>);
    const auto h = etch::relu(etch::matmul(etch::nn::flatten(p2), k3.w) + b3.w);
    const auto now = etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::matmul(h, k4.w) + b4.w, y));
    const auto [d1, e1, d2, e2, d3, e3, d4, e4] = tape.gradient(now, k1.w, b1.w, k2.w, b2.w, k3.w, b3.w, k4.w, b4.w);
    ++steps;
    const auto rate = static_cast<float>(1e-3 * std::sqrt(1 - std::pow(0.999, steps)) / (1 - std::pow(0.9, steps)));
    k1.update(d1, rate);
    b1.update(e1, rate);
    k2.update(d2, rate);
    b2.update(e2, rate);
    k3.update(d3, rate);
    b3.update(e3, rate);
    k4.update(d4, rate);
    b4.update(e4, rate);
    eager = now.item();
  };
  for (int i = 0; i < 4; ++i) {
    by_tape();
    in_session = bound();
  }
  bench::check("training step by a tape", &eager, {in_session}, 1e-3, 1);
  bench::print("CNN of 3,274,634 parameters, batch 50",
               bench::measure({{"session", [&] { in_session = bound(); }}, {"tape", by_tape}}));
}

}  // namespace

int main() {
  bench::heading("P6: the CNN in a session and eagerly");
  time_step();
}
