// SPDX-License-Identifier: MIT
// error: name_the_variable_in_angle_brackets
// error: {"get"}
// error: {"get<\"w\">()"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(y, u);
  s.get("w");  // wrong
}
