// SPDX-License-Identifier: MIT
// FUN-15.
// error: you_must_feed_a_value_for_this_placeholder
// error: {"y"}, float, etch::shape<3>
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 3> y;

int main() {
  function f([] { return x * y; });
  f(x = {1, 2, 3});  // wrong
}
