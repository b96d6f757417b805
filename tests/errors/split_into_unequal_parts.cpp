// SPDX-License-Identifier: MIT
// error: extent_has_no_such_parts
// error: in_function<
// error: {"split"}
// error: {"x"}, float, etch::shape<4, 6>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4, 6> x;

int main() {
  constexpr auto parts = split<4>(x, axis<1>);  // wrong
}
