// SPDX-License-Identifier: MIT
// error: rank_too_small
// error: {"x"}, float, etch::shape<2, 3>
// error: {"positions"}, int, etch::shape<5, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"positions", int, 5, 3> positions;

int main() {
  constexpr auto y = gather_nd(x, positions);  // wrong
}
