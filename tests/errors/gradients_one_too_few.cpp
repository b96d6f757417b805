// SPDX-License-Identifier: MIT
// error: there_is_not_one_gradient_for_each_variable
// error: {"apply_gradients"}
// error: {"w"}, float, etch::shape<2, 2>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = optimizers::sgd(0.1_c).apply_gradients(gradients(sum(y), w), w, w);  // wrong
}
