// SPDX-License-Identifier: MIT
// SES-13.
// error: this_slot_is_not_in_the_graph_of_the_session
// error: {"w"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto w = variable<"w">(zeros(shape<3>{}));

int main() {
  session s(y);
  s.run(x + w, x = {{1, 2, 3}, {4, 5, 6}});  // wrong
}
