// SPDX-License-Identifier: MIT
// error: braces_are_nested_once_for_each_axis
// error: {"x"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(y, u);
  s.run(y, x = {1, 2, 3, 4, 5, 6});  // wrong
}
