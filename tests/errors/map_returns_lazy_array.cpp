// SPDX-License-Identifier: MIT
// DATA-04.
// error: a_map_returns_what_xtensor_has_not_yet_computed
// error: in_function<
// error: {"map"}
#include <xtensor/xmath.hpp>

#include <etch/data.hpp>

int main() {
  xt::xtensor<float, 2> x;
  auto d = etch::data::slices(x).map([](xt::xtensor<float, 1> row) { return row * 2.f; });  // wrong
}
