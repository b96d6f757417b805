// SPDX-License-Identifier: MIT
// FUN-15.
// error: this_slot_is_fed_twice
// error: {"x"}, float, etch::shape<3>
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 3> y;

int main() {
  function f([] { return x * 2_c; });
  f(x = {1, 2, 3}, x = {1, 2, 3});  // wrong
}
