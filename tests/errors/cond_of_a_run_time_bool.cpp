// SPDX-License-Identifier: MIT
// AG-01.
// error: this_call_has_the_wrong_arguments
// error: {"cond"}
// error: {"cond(x > 0_c, f, g)"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  const auto y = cond(true, [] { return x * 2_c; }, [] { return x * 3_c; });  // wrong
}
