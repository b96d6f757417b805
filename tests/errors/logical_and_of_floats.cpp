// SPDX-License-Identifier: MIT
// error: dtype_not_accepted
// error: in_op<etch::logical_and>
// error: {"x"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = x && x;  // wrong
}
