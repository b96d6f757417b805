// SPDX-License-Identifier: MIT
// error: only_a_variable_can_be_trained
// error: {"minimize"}
// error: {"minimize(loss, w)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = optimizers::sgd(0.1_c).minimize(sum(y), "w");  // wrong
}
