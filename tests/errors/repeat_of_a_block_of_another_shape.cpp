// SPDX-License-Identifier: MIT
// error: a_loops_state_keeps_its_dtype_and_shape
// error: {"repeat"}
// error: shape<2, 3>
// error: shape<2, 5>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto y = repeat<3, "block">([](auto in, auto h) { return nn::dense<in / "layer", 5>(h); }, x);  // wrong
}
