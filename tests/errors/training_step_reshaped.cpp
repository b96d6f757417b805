// SPDX-License-Identifier: MIT
// error: a_training_step_has_no_value
// error: in_op<etch::reshape>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2>{}));
constexpr auto update = optimizers::sgd(0.1_c).minimize(sum(w));

int main() {
  constexpr auto y = reshape(update, shape<1>{});  // wrong
  session s(y);
  auto r = s.run(y);
}
