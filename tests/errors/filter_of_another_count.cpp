// SPDX-License-Identifier: MIT
// DATA-04.
// error: this_function_does_not_take_the_components_of_an_element
// error: in_function<
// error: {"filter"}
// error: etch::tensor<float, 1>
#include <etch/data.hpp>

int main() {
  xt::xtensor<float, 2> x;
  xt::xtensor<int, 1> y;
  auto d = etch::data::slices(x, y).filter([](int label) { return label > 0; });  // wrong
  for (auto [row, label] : d.batch(2)) (void)row, (void)label;
}
