// SPDX-License-Identifier: MIT
// error: axis_out_of_range
// error: {"softmax"}
// error: {"x"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = softmax(x, axis<2>);  // wrong
}
