// SPDX-License-Identifier: MIT
// FEED-08.
// error: this_slot_is_not_in_the_graph_of_the_session
// error: {"rate"}, float, etch::shape<>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr placeholder<"rate", float> rate;

int main() {
  session s(y);
  xt::xtensor<float, 2> numbers = {{1, 2, 3}, {4, 5, 6}};
  s.run(y, x = numbers, rate = 0.1f);  // wrong
}
