// SPDX-License-Identifier: MIT
// error: a_recurrent_layer_begins_with_all_of_its_states_or_none
// error: in_function<
// error: {"layers::lstm"}
// error: {"h"}, float
// error: number_of_operands<2>
#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/layers/recurrent.hpp>

using namespace etch;
constexpr placeholder<"x", float, any<"batch">, 10, 3> x;
constexpr placeholder<"h", float, any<"batch">, 4> h;

int main() {
  constexpr auto y = layers::lstm<4>(x, h);  // wrong
}
