// SPDX-License-Identifier: MIT
// error: an_image_has_the_axes_height_width_channels_and_a_batch_one_before_them
// error: "image::rot90"
#include <etch/image.hpp>

int main() {
  constexpr etch::placeholder<"x", float, 4, 4> x;
  constexpr auto y = etch::image::rot90(x);  // wrong
  (void)y;
}
