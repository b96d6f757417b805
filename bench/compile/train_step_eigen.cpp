// SPDX-License-Identifier: MIT
// What train_step.cpp computes, with Eigen: gradients and Adam by hand.
#include <cmath>
#include <cstdint>
#include <random>

#include <Eigen/Core>

using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using row = Eigen::RowVectorXf;

template <class M>
struct parameter {
  M value, first, second;

  explicit parameter(const M& start) : value(start), first(M::Zero(start.rows(), start.cols())), second(first) {}
  void step(const M& gradient, float t) {
    first = 0.9f * first + 0.1f * gradient;
    second = 0.999f * second + 0.001f * gradient.cwiseAbs2();
    const float rate = 1e-3f * std::sqrt(1 - std::pow(0.999f, t)) / (1 - std::pow(0.9f, t));
    value.array() -= rate * first.array() / (second.array().sqrt() + 1e-7f);
  }
};

matrix glorot(int inputs, int units, unsigned seed) {
  std::mt19937 generator(seed);
  const float limit = std::sqrt(6.f / static_cast<float>(inputs + units));
  std::uniform_real_distribution<float> draw(-limit, limit);
  return matrix::NullaryExpr(inputs, units, [&] { return draw(generator); });
}

int main() {
  parameter<matrix> w1(glorot(784, 100, 1)), w2(glorot(100, 10, 2));
  parameter<row> b1(row::Zero(100)), b2(row::Zero(10));
  const matrix x = matrix::Constant(50, 784, 0.5f);
  const Eigen::Matrix<std::int32_t, Eigen::Dynamic, 1> y = Eigen::Matrix<std::int32_t, Eigen::Dynamic, 1>::Constant(50, 3);
  const auto logits = [&](matrix& hidden) -> matrix {
    hidden = ((x * w1.value).rowwise() + b1.value).cwiseMax(0.f);
    return (hidden * w2.value).rowwise() + b2.value;
  };
  float t = 0;
  const auto step = [&] {
    matrix hidden;
    const matrix z = logits(hidden);
    const Eigen::VectorXf most = z.rowwise().maxCoeff();
    matrix p = (z.colwise() - most).array().exp();
    const Eigen::VectorXf sums = p.rowwise().sum();
    p.array().colwise() /= sums.array();
    float loss = 0;
    for (Eigen::Index i = 0; i < p.rows(); ++i) {
      loss += std::log(sums(i)) + most(i) - z(i, y(i));
      p(i, y(i)) -= 1;
    }
    p /= static_cast<float>(p.rows());
    const matrix back = ((p * w2.value.transpose()).array() * (hidden.array() > 0).cast<float>()).matrix();
    t += 1;
    w2.step(hidden.transpose() * p, t);
    b2.step(p.colwise().sum(), t);
    w1.step(x.transpose() * back, t);
    b1.step(back.colwise().sum(), t);
    return loss / static_cast<float>(p.rows());
  };
  const float before = step();
  for (int i = 0; i < 10; ++i) step();
  matrix hidden;
  const matrix z = logits(hidden);
  return step() < before && z(0, 3) > z(0, 2) ? 0 : 1;
}
