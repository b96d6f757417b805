// SPDX-License-Identifier: MIT
// error: this_call_has_not_the_options_that_it_takes
// error: "resize"
#include <etch/convolution.hpp>

int main() {
  constexpr etch::placeholder<"x", float, 1, 4, 4, 1> x;
  constexpr auto y = etch::resize(x, etch::shape<8, 8>{}, etch::area, etch::align_corners);  // wrong
  (void)y;
}
