// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_number_of_operands
// error: {"dropout"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"dropout<\"noise\">(x, 0.5_c)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = dropout<"noise">(x);  // wrong
}
