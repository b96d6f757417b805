// SPDX-License-Identifier: MIT
// error: a_convolution_has_a_batch_axes_of_windows_and_channels
// error: "resize"
// error: number_of_axes<3>
#include <etch/convolution.hpp>

int main() {
  constexpr etch::placeholder<"x", float, 1, 4, 4, 1> x;
  constexpr auto y = etch::resize(x, etch::shape<8>{}, etch::bilinear);  // wrong
  (void)y;
}
