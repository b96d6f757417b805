// SPDX-License-Identifier: MIT
// KER-09.
// error: groups_do_not_divide_the_channels
// error: "conv2d"
// error: 28, 28, 3>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 1, 32> kernel;

int main() {
  constexpr auto y = conv2d(images, kernel, groups<2>);  // wrong
}
