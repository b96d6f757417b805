// SPDX-License-Identifier: MIT
// VAR-01.
// error: a_variable_cannot_have_a_named_extent
// error: {"state"}, float, etch::shape<etch::extent_named
// error: {"batch"}
// error: 784
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;

int main() {
  constexpr auto y = variable<"state">(images);  // wrong
}
