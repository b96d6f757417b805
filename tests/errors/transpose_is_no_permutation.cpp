// SPDX-License-Identifier: MIT
// error: not_a_permutation
// error: in_op<etch::transpose>
// error: {"x"}, float, etch::shape<2, 3>
// error: attributes<0, 0>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = transpose(x, axis<0, 0>);  // wrong
}
