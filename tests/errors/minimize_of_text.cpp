// SPDX-License-Identifier: MIT
// error: a_loss_is_an_expression
// error: {"minimize"}
// error: {"minimize(loss, w)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = optimizers::sgd(0.1_c).minimize("loss");  // wrong
}
