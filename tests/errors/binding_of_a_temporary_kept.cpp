// SPDX-License-Identifier: MIT
// error: a_binding_of_a_temporary_cannot_be_kept_feed_it_where_it_is_made
// error: {"x"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2> x;

int main() {
  constexpr auto y = sum(x);
  session s(y);
  const auto fed = (x = xt::xtensor<float, 1>{1, 2});
  s.run(y, fed);  // wrong
}
