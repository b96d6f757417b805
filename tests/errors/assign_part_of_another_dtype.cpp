// SPDX-License-Identifier: MIT
// error: dtypes_differ
// error: in_op<etch::assign>
// error: float, etch::shape<2>
// error: {"x"}, double, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr placeholder<"x", double, 2> x;

int main() {
  constexpr auto y = assign(slice(w, section<1>), x);  // wrong
}
