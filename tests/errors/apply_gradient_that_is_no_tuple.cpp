// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"apply_gradients"}
// error: {"w"}, float, etch::shape<2, 2>
// error: {"apply_gradients(gradients(y, w), w)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = optimizers::sgd(0.1_c).apply_gradients(gradient(sum(y), w), w);  // wrong
}
