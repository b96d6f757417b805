// SPDX-License-Identifier: MIT
// error: literal: the number is beyond the range of a double
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"weights", double, 3> weights;

int main() {
  constexpr auto y = weights * 1.8e308_c;  // wrong
}
