// SPDX-License-Identifier: MIT
// error: shapes_do_not_broadcast
// error: in_op<etch::broadcast_to>
// error: {"x"}, float, etch::shape<2, 3>
// error: etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = broadcast_to(x, shape<3>{});  // wrong
}
