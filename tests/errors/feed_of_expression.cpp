// SPDX-License-Identifier: MIT
// FEED-07.
// error: an_expression_cannot_be_fed_feed_its_value
// error: {"x"}, float, etch::shape<2, 3>
// error: got<etch::slot_named
// error: {"z"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr placeholder<"z", float, 2, 3> z;

int main() {
  session s(y);
  s.run(y, x = z);  // wrong
}
