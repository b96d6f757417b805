// SPDX-License-Identifier: MIT
// error: condition_is_not_bool
// error: in_op<etch::where>
// error: {"x"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = where(x, x, 0_c);  // wrong
}
