// SPDX-License-Identifier: MIT
// VAR-03.
// error: only_a_variable_can_be_assigned
// error: in_op<etch::assign>
// error: {"x"}, float, etch::shape<2>
// error: {"assign(w, value)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  constexpr auto z = assign(x, x * 2_c);  // wrong
}
