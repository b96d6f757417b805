// SPDX-License-Identifier: MIT
// error: padding_is_negative
// error: in_op<etch::pad>
// error: {"x"}, float, etch::shape<3>
// error: attributes<-1,
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  constexpr auto y = pad(x, padding<-1>);  // wrong
}
