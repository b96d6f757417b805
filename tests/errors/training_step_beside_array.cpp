// SPDX-License-Identifier: MIT
// error: a_training_step_has_no_value
// error: in_op<etch::add>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto update = optimizers::sgd(0.1_c).minimize(sum(w * x));

int main() {
  constexpr auto y = x + update;  // wrong
  session s(y);
  auto r = s.run(y, x = {1.f, 2.f});
}
