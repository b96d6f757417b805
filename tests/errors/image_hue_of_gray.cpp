// SPDX-License-Identifier: MIT
// error: the_last_axis_of_these_images_has_not_as_many_channels
// error: "image::adjust_hue"
#include <etch/image.hpp>

using namespace etch::literals;

int main() {
  constexpr etch::placeholder<"x", float, 32, 32, 1> x;
  constexpr auto y = etch::image::adjust_hue(x, 0.1_c);  // wrong
  (void)y;
}
