// SPDX-License-Identifier: MIT
// error: this_call_has_not_the_options_that_it_takes
// error: {"max_pool2d"}
// error: {"max_pool2d(images, window<2>)"}
#include <etch/convolution.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;

int main() {
  constexpr auto y = max_pool2d<2>(images);  // wrong
}
