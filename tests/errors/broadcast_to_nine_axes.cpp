// SPDX-License-Identifier: MIT
// error: too_many_axes
// error: in_op<etch::broadcast_to>
// error: etch::shape<1, 1, 1, 1, 1, 1, 1, 1, 2>
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = zeros(shape<1, 1, 1, 1, 1, 1, 1, 1, 2>{});  // wrong
}
