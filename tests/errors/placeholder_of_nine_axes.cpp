// SPDX-License-Identifier: MIT
// error: too_many_axes
// error: {"x"}, float, etch::shape<1, 1, 1, 1, 1, 1, 1, 1, 2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 1, 1, 1, 1, 1, 1, 1, 1, 2> x;  // wrong

int main() { constexpr auto y = etch::exp(x); }
