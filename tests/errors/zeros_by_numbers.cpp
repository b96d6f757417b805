// SPDX-License-Identifier: MIT
// error: name_the_shape_in_angle_brackets
// error: {"zeros(shape<2, 3>{})"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = zeros<float, 2, 3>();  // wrong
}
