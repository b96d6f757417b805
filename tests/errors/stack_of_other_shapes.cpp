// SPDX-License-Identifier: MIT
// error: extents_differ
// error: {"stack"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"b"}, float, etch::shape<2, 4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"b", float, 2, 4> b;

int main() {
  constexpr auto y = stack(axis<0>, x, b);  // wrong
}
