// SPDX-License-Identifier: MIT
// What is made of something refused is not refused again.
// error: rank_too_small
// error: in_function
// error: {"matrix_transpose"}
// error: slot_named
// error: {"x"}
#include <etch/etch.hpp>

constexpr etch::placeholder<"x", float, 3> x;

int main() {
  const auto y = etch::attention(x, x, x);  // wrong
  etch::session session(y);
  xt::xtensor<float, 1> a;
  session.run(y, x = a);
}
