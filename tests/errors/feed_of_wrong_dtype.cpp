// SPDX-License-Identifier: MIT
// FEED-06.
// error: this_feed_has_the_wrong_dtype
// error: {"x"}, float, etch::shape<2, 3>
// error: expected<float>
// error: got<double>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  xt::xtensor<double, 2> numbers = {{1, 2, 3}, {4, 5, 6}};
  s.run(y, x = numbers);  // wrong
}
