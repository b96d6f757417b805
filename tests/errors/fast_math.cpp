// SPDX-License-Identifier: MIT
// error: etch computes with NaN, infinities and signed zeros: compile without -ffast-math, -Ofast
#define __FAST_MATH__ 1  // wrong
#include <etch/etch.hpp>

int main() {}
