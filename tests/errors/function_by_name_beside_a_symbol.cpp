// SPDX-License-Identifier: MIT
// FUN-15.
// error: a_value_by_name_is_for_a_call_that_runs_not_for_one_with_symbols
// error: {"x"}, float, etch::shape<3>
// error: {"y"}, float, etch::shape<3>
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 3> y;

int main() {
  function f([](auto a) { return a * x; });
  f(y, x = {1, 2, 3});  // wrong
}
