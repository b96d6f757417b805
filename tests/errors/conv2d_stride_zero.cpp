// SPDX-License-Identifier: MIT
// KER-09.
// error: strides_dilations_windows_and_groups_are_positive
// error: "conv2d"
// error: strides_of<0>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 3, 32> kernel;

int main() {
  constexpr auto y = conv2d(images, kernel, strides<0>);  // wrong
}
