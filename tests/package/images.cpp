// SPDX-License-Identifier: MIT
#include <etch/image.hpp>

/// Ends with 0 where a picture is what it was before it was a PNG file.
int main() {
  const etch::image::pixels x = {{{1}, {2}, {3}}, {{40}, {50}, {60}}};
  const std::string png = etch::image::encode_png(x);
  const etch::image::pixels y = etch::image::decode(std::as_bytes(std::span(png)));
  return y.shape() == x.shape() && std::equal(x.data(), x.data() + 6, y.data()) ? 0 : 1;
}
