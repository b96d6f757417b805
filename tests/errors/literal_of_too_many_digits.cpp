// SPDX-License-Identifier: MIT
// error: literal: _c takes a decimal number of at most 17 digits
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"weights", double, 3> weights;

int main() {
  constexpr auto y = weights * 3.14159265358979323846_c;  // wrong
}
