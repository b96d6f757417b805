// SPDX-License-Identifier: MIT
// A literal fills the variable.
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = group(assign(w, 1_c), assign_add(w, x));
  (void)y;
}
