// SPDX-License-Identifier: MIT
// error: dtype_not_accepted
// error: in_op<etch::uniform_draw>
// error: operand<int, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = random_uniform<"noise", int>(shape<3>{});  // wrong
}
