// SPDX-License-Identifier: MIT
// FUN-15.
// error: the_body_of_this_function_uses_no_such_slot
// error: {"y"}, float, etch::shape<3>
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 3> y;

int main() {
  function f([] { return x * 2_c; });
  f(x = {1, 2, 3}, y = {1, 2, 3});  // wrong
}
