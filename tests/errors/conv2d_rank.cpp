// SPDX-License-Identifier: MIT
// KER-09.
// error: a_convolution_has_a_batch_axes_of_windows_and_channels
// error: "conv1d"
// error: expected<etch::number_of_axes<3>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 3, 32> kernel;

int main() {
  constexpr auto y = conv1d(images, kernel);  // wrong
}
