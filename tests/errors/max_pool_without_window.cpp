// SPDX-License-Identifier: MIT
// KER-09.
// error: this_call_has_not_the_options_that_it_takes
// error: "max_pool2d"
// error: window<2>, strides<2>
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;
constexpr placeholder<"kernel", float, 5, 5, 3, 32> kernel;

int main() {
  constexpr auto y = max_pool2d(images, strides<2>);  // wrong
}
