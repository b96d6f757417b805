// SPDX-License-Identifier: MIT
// FEED-06.
// error: this_feed_has_the_wrong_extents
// error: {"x"}, float, etch::shape<2, 3>
// error: got<etch::shape<2, 4>
#include <xtensor/xfixed.hpp>

#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  xt::xtensor_fixed<float, xt::xshape<2, 4>> numbers;
  s.run(y, x = numbers);  // wrong
}
