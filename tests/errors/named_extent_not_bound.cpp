// SPDX-License-Identifier: MIT
// error: this_named_extent_is_bound_by_no_feed
// error: {"n"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = broadcast_to(x, shape<any<"n">>{});
  session s(y);
  s.run(y, x = 1);  // wrong
}
