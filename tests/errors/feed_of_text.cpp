// SPDX-License-Identifier: MIT
// error: this_cannot_be_fed
// error: {"x"}, float, etch::shape<2, 3>
// error: got<
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  const struct reading {
  } reading;
  s.run(y, x = reading);  // wrong
}
