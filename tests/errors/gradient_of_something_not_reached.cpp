// SPDX-License-Identifier: MIT
// GRA-22.
// error: gradient_does_not_reach_this_operand
// error: {"unrelated"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"unrelated", float, 2> unrelated;
constexpr auto slopes = gradients(sum(x * x), x, unrelated);  // wrong
constexpr auto slope = std::get<1>(slopes);

int main() {
  session s(slope);
  s.run(slope, x = {1, 2, 3});
}
