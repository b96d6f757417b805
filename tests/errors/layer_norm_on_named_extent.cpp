// SPDX-License-Identifier: MIT
// error: a_variable_cannot_have_a_named_extent
// error: in_function<
// error: {"nn::layer_norm"}
// error: {"x"}, float
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 50, any<"length">> x;

int main() {
  constexpr auto y = nn::layer_norm<"norm">(x);  // wrong
}
