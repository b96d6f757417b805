// SPDX-License-Identifier: MIT
// error: name_the_variable_in_angle_brackets
// error: {"find_variable"}
// error: {"find_variable<\"w\">(y)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  const auto v = find_variable(y, "w");  // wrong
}
