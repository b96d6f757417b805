// SPDX-License-Identifier: MIT
// error: an_einsum_has_at_most_8_operands
// error: {"einsum"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = einsum<"i,i,i,i,i,i,i,i->i">(x, x, x, x, x, x, x, x);
  constexpr auto z = einsum<"i,i,i,i,i,i,i,i,i->i">(x, x, x, x, x, x, x, x, x);  // wrong
}
