// SPDX-License-Identifier: MIT
// error: rank_too_small
// error: in_op<etch::matmul>
// error: {"a"}, float, etch::shape<3, 4>
// error: {"x"}, float, etch::shape<>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"a", float, 3, 4> a;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = matmul(a, x);  // wrong
}
