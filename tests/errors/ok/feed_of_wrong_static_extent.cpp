// SPDX-License-Identifier: MIT
// An extent that the slot has only a name for may be anything.
#include <xtensor/xfixed.hpp>

#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, any<"batch">, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  xt::xtensor_fixed<float, xt::xshape<2, 3>> numbers;
  s.run(y, x = numbers);
}
