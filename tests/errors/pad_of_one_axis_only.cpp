// SPDX-License-Identifier: MIT
// error: rank_too_small
// error: in_op<etch::pad>
// error: {"x"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = pad(x, padding<1>);  // wrong
}
