// SPDX-License-Identifier: MIT
// error: expressions_are_named_one_by_one_without_braces
// error: {"run"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"run(y, z, x = values)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(y, u);
  s.run({y, u}, x = data);  // wrong
}
