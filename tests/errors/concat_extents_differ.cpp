// SPDX-License-Identifier: MIT
// error: extents_differ
// error: in_op<etch::concat>
// error: {"a"}, float, etch::shape<2, 3>
// error: {"b"}, float, etch::shape<4, 5>
// error: attributes<0>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"a", float, 2, 3> a;
constexpr placeholder<"b", float, 4, 5> b;

int main() {
  constexpr auto y = concat(axis<0>, a, b);  // wrong
}
