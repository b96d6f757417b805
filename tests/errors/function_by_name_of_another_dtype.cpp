// SPDX-License-Identifier: MIT
// FUN-15.
// error: this_feed_has_the_wrong_dtype
// error: {"x"}, float, etch::shape<3>
// error: expected<float>
// error: got<int>
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 3> y;

int main() {
  function f([] { return x * 2_c; });
  f(x = tensor<int, 1>{1, 2, 3});  // wrong
}
