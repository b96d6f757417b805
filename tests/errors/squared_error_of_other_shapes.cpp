// SPDX-License-Identifier: MIT
// error: shapes_do_not_broadcast
// error: {"nn::mean_squared_error"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"t"}, float, etch::shape<4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"t", float, 4> t;

int main() {
  constexpr auto y = nn::mean_squared_error(x, t);  // wrong
}
