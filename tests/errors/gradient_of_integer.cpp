// SPDX-License-Identifier: MIT
// TAPE-03.
// error: only_floats_have_gradients_cast_first
// error: operand<int, etch::shape<>
// error: {"x"}, int, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", int, 3> x;

int main() {
  constexpr auto y = gradient(sum(x), x);  // wrong
}
