// SPDX-License-Identifier: MIT
// GRA-22.
// error: dtype_not_accepted
// error: in_op<etch::exp>
// error: {"counts"}, int, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"counts", int, 3> counts;

int main() {
  constexpr auto y = etch::exp(counts);  // wrong
}
