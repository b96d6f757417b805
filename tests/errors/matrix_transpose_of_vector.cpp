// SPDX-License-Identifier: MIT
// error: rank_too_small
// error: {"matrix_transpose"}
// error: {"v"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"v", float, 3> v;

int main() {
  constexpr auto y = matrix_transpose(v);  // wrong
}
