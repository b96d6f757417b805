// SPDX-License-Identifier: MIT
// error: too_many_axes
// error: in_op<etch::reshape>
// error: etch::shape<1, 1, 1, 1, 1, 1, 1, 1, 2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2> x;

int main() {
  constexpr auto y = reshape(x, shape<1, 1, 1, 1, 1, 1, 1, 1, 2>{});  // wrong
}
