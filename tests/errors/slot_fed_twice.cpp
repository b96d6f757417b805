// SPDX-License-Identifier: MIT
// error: this_slot_is_fed_twice
// error: {"x"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2> x;

int main() {
  constexpr auto y = sum(x);
  session s(y);
  const xt::xtensor<float, 1> a = {1, 2}, b = {3, 4};
  s.run(y, x = a, x = b);  // wrong
}
