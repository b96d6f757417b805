// SPDX-License-Identifier: MIT
// GRA-16.
// error: this_has_no_value_that_could_be_fed
// error: {"run"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr auto y = x * w;
constexpr auto train = group(assign(w, y));

int main() {
  session s(y, train);
  s.run(y, train = 1.0f);  // wrong
}
