// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"zeros_like"}
// error: {"zeros_like(x)"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = zeros_like(shape<2, 3>{});  // wrong
}
