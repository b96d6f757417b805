// SPDX-License-Identifier: MIT
// KER-09.
// error: there_is_not_one_number_for_each_axis_of_windows
// error: "conv2d"
// error: strides_of<1, 2, 2>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 3, 32> kernel;

int main() {
  constexpr auto y = conv2d(images, kernel, strides<1, 2, 2>);  // wrong
}
