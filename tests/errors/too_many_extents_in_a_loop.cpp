// SPDX-License-Identifier: MIT
// error: too_many_named_extents
// error: extents_made_of_them_at_most<48>
#include <etch/control.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, any<"a">, any<"b">, any<"c">, any<"d">, any<"e">, any<"f">> x;
constexpr placeholder<"steps", float, 1> steps;

/// The strides of each order of axes are products of names.
template <class... Orders>
constexpr auto sums(auto y, Orders... orders) {
  return (sum(sort(transpose(y, orders)) * transpose(y, orders)) + ...);
}

int main() {
  constexpr auto y = scan(
      [](auto s, auto t) {
        return s + sums(x * t, axis<5, 4, 3, 2, 1, 0>, axis<1, 3, 5, 0, 2, 4>, axis<2, 4, 0, 5, 1, 3>, axis<3, 0, 4, 1, 5, 2>,
                        axis<4, 2, 5, 3, 0, 1>, axis<0, 2, 1, 4, 3, 5>, axis<5, 1, 0, 2, 4, 3>, axis<1, 5, 3, 4, 2, 0>,
                        axis<2, 3, 4, 0, 5, 1>, axis<3, 5, 0, 1, 4, 2>, axis<4, 0, 2, 5, 1, 3>, axis<0, 3, 1, 5, 2, 4>);
      },
      0_c * sum(steps), steps);
  session s(y);
  s.run(y, x = xt::xtensor<float, 6>(), steps = {1.f});  // wrong
}
