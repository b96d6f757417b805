// SPDX-License-Identifier: MIT
// What hello.cpp computes, with Eigen.
#include <cmath>

#include <Eigen/Core>

int main() {
  Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor> x(2, 3);
  x << 1, 2, 3, 4, 5, 6;
  const Eigen::Matrix<float, 3, 2, Eigen::RowMajor> w = Eigen::Matrix<float, 3, 2, Eigen::RowMajor>::Ones();
  const Eigen::Matrix<float, Eigen::Dynamic, 2, Eigen::RowMajor> value = ((x * w) * 0.1f).array().tanh();
  return value(1, 1) > 0.9f ? 0 : 1;
}
