// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: {"softmax"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"softmax(x, axis<-1>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = softmax(x, 1);  // wrong
}
