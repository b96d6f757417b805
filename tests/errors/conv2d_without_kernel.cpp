// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"conv2d"}
// error: {"conv2d(images, kernel)"}
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;

int main() {
  constexpr auto y = conv2d(images);  // wrong
}
