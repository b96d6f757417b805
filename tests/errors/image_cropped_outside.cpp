// SPDX-License-Identifier: MIT
// error: this_part_reaches_outside_of_the_image
// error: "image::crop_to_bounding_box"
#include <etch/image.hpp>

int main() {
  constexpr etch::placeholder<"x", float, 32, 32, 3> x;
  constexpr auto y = etch::image::crop_to_bounding_box<8, 8, 28, 24>(x);  // wrong
  (void)y;
}
