// SPDX-License-Identifier: MIT
// error: only_floats_have_gradients_cast_first
// error: {"minimize"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto n = variable<"n">(zeros<int>(shape<2>{}));

int main() {
  constexpr auto z = optimizers::sgd(0.1_c).minimize(sum(n * 2_c));  // wrong
}
