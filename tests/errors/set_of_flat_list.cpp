// SPDX-License-Identifier: MIT
// error: braces_are_nested_once_for_each_axis
// error: {"set"}
// error: {"w"}, float, etch::shape<2, 2>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  session s(y, update);
  s.set(w, {1, 2, 3, 4});  // wrong
}
