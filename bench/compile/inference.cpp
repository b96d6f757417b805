// SPDX-License-Identifier: MIT
// P9: inference by P5's network: weights from the file that is named first, an image from the input, its class as the status.
#include <cstdio>

#include <etch/etch.hpp>

int main(int, char** arguments) {
  constexpr etch::placeholder<"image", float, 1, 784> image;
  constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 100>(image));
  constexpr auto digit = etch::argmax(etch::nn::dense<"logits", 10>(hidden), etch::axis<1>);
  etch::session session(digit);
  std::FILE* const file = std::fopen(arguments[1], "rb");
  if (file == nullptr) return 10;
  static float values[784 * 100];
  for (auto variable : session.variables()) {
    const auto count = static_cast<std::size_t>(variable.elements());
    if (std::fread(values, sizeof(float), count, file) != count) return 11;
    variable.copy_from(values);
  }
  std::fclose(file);
  xt::xtensor<float, 2> pixels = xt::xtensor<float, 2>::from_shape({1, 784});
  if (std::fread(pixels.data(), sizeof(float), 784, stdin) != 784) return 12;
  auto step = session.bind(digit, image = pixels);
  return static_cast<int>(step()(0));
}
