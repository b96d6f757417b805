// SPDX-License-Identifier: MIT
// error: name_the_shape_in_angle_brackets
// error: {"full"}
// error: {"full(shape<2, 3>{}, 0.5_c)"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = full(shape<2>{});  // wrong
}
