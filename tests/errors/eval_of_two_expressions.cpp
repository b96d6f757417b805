// SPDX-License-Identifier: MIT
// SES-10.
// error: this_call_has_the_wrong_arguments
// error: {"eval"}
// error: {"run(y, z)"}
#include <etch/etch.hpp>
#include <etch/default_session.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr auto y = x * w;
constexpr auto train = group(assign(w, y));

int main() {
  eval(y, w, x = {1, 2, 3});  // wrong
}
