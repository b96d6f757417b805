// SPDX-License-Identifier: MIT
// An op without a gradient is no harm where there is another way, nor in a condition.
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto y = sum(where(x > 0_c, x, 0_c)) * astype<float>(argmax(x, axis<0>));
constexpr auto dx = gradient(y, x);
constexpr auto zero = gradient(sum(stop_gradient(x)), x);

int main() {
  session s(dx, zero);
  s.run(dx, zero, x = {1, 2, 3});
}
