// SPDX-License-Identifier: MIT
// error: too_many_named_extents
// error: in_op<etch::concat>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"a", float, any<"a">> a;
constexpr placeholder<"b", float, any<"b">> b;
constexpr placeholder<"c", float, any<"c">> c;
constexpr placeholder<"d", float, any<"d">> d;
constexpr placeholder<"e", float, any<"e">> e;

int main() {
  constexpr auto y = concat(axis<0>, a, b, c, d, e);  // wrong
}
