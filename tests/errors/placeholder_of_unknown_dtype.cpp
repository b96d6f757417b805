// SPDX-License-Identifier: MIT
// error: placeholder: the element type is one of bool, uint8, int32, int64, float, double
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = placeholder<"x", long double, 3>{};  // wrong
}
