// SPDX-License-Identifier: MIT
// error: the_loss_depends_on_no_trainable_variable
// error: in_function<
// error: {"minimize"}
// error: operand<float, etch::shape<>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = optimizers::sgd(0.1_c).minimize(sum(x));  // wrong
}
