// SPDX-License-Identifier: MIT
// error: two_optimizers_share_this_state_give_one_a_name
// error: {"w/momentum/m"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const auto w = variable<"w">(ones(shape<2>{}));
  const auto loss = sum(square(w));
  const auto fast = optimizers::momentum(0.1_c).minimize(loss);
  const auto slow = optimizers::momentum(0.01_c).minimize(loss);
  session s(fast, slow);  // wrong
}
