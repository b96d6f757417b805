// SPDX-License-Identifier: MIT
// DATA-02.
// error: slices_are_of_arrays_whose_type_says_how_many_axes_they_have
// error: in_function<
// error: {"data::slices"}
#include <xtensor/xarray.hpp>

#include <etch/data.hpp>

int main() {
  xt::xarray<float> x;
  auto d = etch::data::slices(x);  // wrong
}
