// SPDX-License-Identifier: MIT
// What etch's own includes cost at least: the containers and the registers of the dependencies.
#include <xsimd/xsimd.hpp>
#include <xtensor/xtensor.hpp>

int main() {
  const xt::xtensor<float, 1> x = xt::xtensor<float, 1>::from_shape({4});
  return static_cast<int>(x.size()) - 4;
}
