// SPDX-License-Identifier: MIT
// error: too_many_axes
// error: in_op<etch::normal_draw>
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = random_normal<"noise">(shape<1, 1, 1, 1, 1, 1, 1, 1, 2>{});  // wrong
}
