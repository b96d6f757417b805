// SPDX-License-Identifier: MIT
// error: this_axis_of_an_argument_would_have_two_extents
// error: argument_extent<0, 0>
#include <etch/function.hpp>

using namespace etch;

int main() {
  function f([](auto x) { return sum(x + zeros<float>(shape<2>{})) + sum(x + zeros<float>(shape<3>{})); });
  f(tensor<float, 1>{1, 2});  // wrong
}
