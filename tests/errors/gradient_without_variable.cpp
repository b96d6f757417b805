// SPDX-License-Identifier: MIT
// TAPE-03.
// error: this_call_has_the_wrong_arguments
// error: {"gradient"}
// error: {"gradient(x, w)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = gradient(sum(y));  // wrong
}
