// SPDX-License-Identifier: MIT
// VAR-01.
// error: name_the_variable_in_angle_brackets
// error: {"variable"}
// error: {"variable<\"w\">(zeros(shape<2, 3>{}))"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto w = variable(zeros(shape<3>{}));  // wrong
}
