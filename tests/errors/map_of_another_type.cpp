// SPDX-License-Identifier: MIT
// DATA-04.
// error: this_function_does_not_take_the_components_of_an_element
// error: in_function<
// error: {"map"}
// error: etch::tensor<float, 1>
#include <string>

#include <etch/data.hpp>

int main() {
  xt::xtensor<float, 2> x;
  xt::xtensor<int, 1> y;
  auto d = etch::data::slices(x, y).map([](const etch::tensor<float, 1>& row, std::string) { return row; });  // wrong
  for (auto row : d.batch(2)) (void)row;
}
