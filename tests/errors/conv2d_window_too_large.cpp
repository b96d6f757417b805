// SPDX-License-Identifier: MIT
// KER-09.
// error: a_window_is_larger_than_its_padded_operand
// error: in_op<etch::convolution>
// error: 28, 28, 3>
// error: {"kernel"}, float, etch::shape<5, 5, 3, 32>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 3, 32> kernel;

int main() {
  constexpr auto y = conv2d(images, kernel, dilations<8>, padding<1, 2>);  // wrong
}
