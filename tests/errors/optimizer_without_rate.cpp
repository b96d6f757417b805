// SPDX-License-Identifier: MIT
// error: name_the_learning_rate
// error: {"optimizers::adam"}
// error: {"optimizers::adam(1e-3_c)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = optimizers::adam().minimize(sum(y));  // wrong
}
