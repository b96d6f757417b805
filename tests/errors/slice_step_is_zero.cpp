// SPDX-License-Identifier: MIT
// error: step_is_zero
// error: in_op<etch::slice>
// error: {"x"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = slice(x, section<0, 2, 0>);  // wrong
}
