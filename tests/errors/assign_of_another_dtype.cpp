// SPDX-License-Identifier: MIT
// VAR-03.
// error: dtypes_differ
// error: in_op<etch::assign>
// error: {"w"}, float, etch::shape<3>
// error: {"x"}, double, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr placeholder<"x", double, 3> x;

int main() {
  constexpr auto y = assign(w, x);  // wrong
}
