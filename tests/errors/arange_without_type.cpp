// SPDX-License-Identifier: MIT
// error: name_the_dtype_in_angle_brackets
// error: {"arange"}
// error: {"arange<int>(shape<10>{})"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = arange(shape<10>{});  // wrong
}
