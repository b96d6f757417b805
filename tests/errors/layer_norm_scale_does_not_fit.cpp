// SPDX-License-Identifier: MIT
// error: shapes_do_not_broadcast
// error: {"layer_norm"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"scale"}, float, etch::shape<4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"scale", float, 4> scale;

int main() {
  constexpr auto y = layer_norm(x, scale, scale);  // wrong
}
