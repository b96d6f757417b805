// SPDX-License-Identifier: MIT
// Tapes: gradients of what eager code computes. A network learns exclusive or.
#include <cmath>
#include <cstdio>

#include <etch/nn/losses.hpp>
#include <etch/tape.hpp>

using namespace etch::literals;

namespace {

bool second_derivatives() {
  const etch::tensor<float, 0> x = 3;
  etch::tape outer;
  etch::tape inner;
  const auto y = x * x * x;
  const auto slope = inner.gradient(y, x);
  const auto curvature = outer.gradient(slope, x);
  return slope.item() == 27 && curvature.item() == 18;
}

}  // namespace

int main() {
  const etch::tensor<float, 2> points = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const etch::tensor<float, 2> targets = {{0}, {1}, {1}, {0}};

  etch::eager::seed(3);
  etch::eager::variable first(etch::random_normal<"first">(etch::shape<2, 8>{}));
  etch::eager::variable first_bias(etch::zeros(etch::shape<8>{}));
  etch::eager::variable last(etch::random_normal<"last">(etch::shape<8, 1>{}) * 0.5_c);
  etch::eager::variable last_bias(etch::zeros(etch::shape<1>{}));

  const auto logits = [&] {
    const auto hidden = etch::tanh(etch::matmul(points, first) + first_bias);
    return etch::matmul(hidden, last) + last_bias;
  };

  float loss_before = 0, loss_now = 0;
  for (int step = 0; step < 500; ++step) {
    etch::tape tape;
    const auto loss = etch::mean(etch::nn::sigmoid_cross_entropy(logits(), targets));
    const auto [d_first, d_first_bias, d_last, d_last_bias] = tape.gradient(loss, first, first_bias, last, last_bias);
    const auto descend = [](auto variable, const auto& slope) { variable.assign_sub(0.5_c * slope); };
    descend(first, d_first);
    descend(first_bias, d_first_bias);
    descend(last, d_last);
    descend(last_bias, d_last_bias);
    loss_now = loss.item();
    if (step == 0) loss_before = loss_now;
  }
  const auto is_right = (logits() > 0_c) == (targets > 0.5_c);
  std::printf("loss %.4f, then %.4f\n", static_cast<double>(loss_before), static_cast<double>(loss_now));
  return loss_now < 0.05f && etch::reduce_all(is_right) && second_derivatives() ? 0 : 1;
}
