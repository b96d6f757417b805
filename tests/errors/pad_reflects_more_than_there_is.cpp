// SPDX-License-Identifier: MIT
// error: slice_out_of_range
// error: in_op<etch::pad>
// error: {"x"}, float, etch::shape<3>
// error: padding_of<3
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = pad(x, padding<3, 0>, reflect);  // wrong
}
