// SPDX-License-Identifier: MIT
// KER-09.
// error: a_stride_along_a_named_extent
// error: in_op<etch::convolution>
// error: {"kernel"}, float, etch::shape<5, 5, 3, 32>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, any<"height">, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 3, 32> kernel;

int main() {
  constexpr auto y = conv2d(images, kernel, strides<2>, same_padding);  // wrong
}
