// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"recompute"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = recompute([] { return x * x; });  // wrong
  session s(y);
}
