// SPDX-License-Identifier: MIT
// error: name_the_dtype_in_angle_brackets
// error: {"astype"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"astype<float>(x)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = astype(x);  // wrong
}
