// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_number_of_operands
// error: in_op<etch::max>
// error: {"x"}, float, etch::shape<2, 3>
// error: {"maximum(x, y)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = max(x, x * 2_c);  // wrong
}
