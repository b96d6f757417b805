// SPDX-License-Identifier: MIT
// KER-09.
// error: channels_differ
// error: in_op<etch::convolution>
// error: {"images"}, float
// error: 28, 28, 3>
// error: {"kernel"}, float, etch::shape<5, 5, 1, 32>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 1, 32> kernel;

int main() {
  constexpr auto y = conv2d(images, kernel, same_padding);  // wrong
}
