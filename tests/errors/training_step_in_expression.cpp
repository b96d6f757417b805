// SPDX-License-Identifier: MIT
// error: a_training_step_has_no_value
// error: in_op<etch::multiply>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = optimizers::sgd(0.1_c).minimize(sum(w));

int main() {
  const auto z = update * 2_c;  // wrong
}
