// SPDX-License-Identifier: MIT
// GRA-05.
// error: placeholder_is_declared_twice
// error: {"x"}, float, etch::shape<2>
// error: {"x"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2> two;
constexpr placeholder<"x", float, 3> three;

int main() {
  session s(sum(two) + sum(three));  // wrong
}
