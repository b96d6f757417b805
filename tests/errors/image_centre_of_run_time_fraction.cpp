// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: "image::central_crop"
#include <etch/image.hpp>

int main() {
  constexpr etch::placeholder<"x", float, 32, 32, 3> x;
  const auto y = etch::image::central_crop(x, 0.5);  // wrong
  (void)y;
}
