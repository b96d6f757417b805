// SPDX-License-Identifier: MIT
// TAPE-03.
// error: there_is_no_gradient_through_this_op
// error: in_op<etch::argmax>
// error: {"x"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto y = astype<float>(argmax(x * x, axis<0>));  // wrong
constexpr auto dx = gradient(y, x);                        // wrong

int main() {
  session s(dx);
  s.run(dx, x = {1, 2, 3});
}
