// SPDX-License-Identifier: MIT
// error: reshape_changes_the_number_of_elements
// error: in_op<etch::reshape>
// error: {"x"}, float, etch::shape<2, 3>
// error: etch::shape<4, 2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = reshape(x, shape<4, 2>{});  // wrong
}
