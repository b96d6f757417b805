// SPDX-License-Identifier: MIT
// KER-09.
// error: a_window_is_larger_than_its_padded_operand
// error: in_op<etch::max_pool>
// error: 28, 28, 3>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 3, 32> kernel;

int main() {
  constexpr auto y = max_pool2d(images, window<29>);  // wrong
}
