// SPDX-License-Identifier: MIT
// GRA-05.
// error: placeholder: the element type is bool, an integer, float, double, or bfloat16
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = placeholder<"x", long double, 3>{};  // wrong
}
