// SPDX-License-Identifier: MIT
// error: slice_out_of_range
// error: in_op<etch::argsort>
// error: {"x"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto largest = top_k<4>(x, axis<1>);  // wrong
}
