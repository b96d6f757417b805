// SPDX-License-Identifier: MIT
// error: only_a_variable_can_be_assigned
// error: in_op<etch::assign>
// error: etch::shape<1>
// error: {"assign(w, value)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto part = slice(x, section<1, 2>);

int main() {
  constexpr auto y = assign(part, 2_c);  // wrong
}
