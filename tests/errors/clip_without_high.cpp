// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_number_of_operands
// error: {"clip"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"clip(x, low, high)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = clip(x, 0_c);  // wrong
}
