// SPDX-License-Identifier: MIT
// error: swap_averages is of an optimizer with moving_average
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  constexpr auto w = variable<"w">(zeros(shape<3>{}));
  constexpr auto swap = optimizers::adam(1e-3_c).swap_averages(sum(square(w)));  // wrong
}
