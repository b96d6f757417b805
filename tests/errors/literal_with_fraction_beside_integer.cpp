// SPDX-License-Identifier: MIT
// error: literal: it has a fraction, and the other operand is an integer; cast that first
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"counts", int, 3> counts;

int main() {
  constexpr auto y = counts * 0.5_c;  // wrong
}
