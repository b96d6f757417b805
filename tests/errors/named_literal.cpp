// SPDX-License-Identifier: MIT
// error: a_literal_has_no_dtype_to_be_named_with_cast_it_first
// error: {"named"}
// error: etch::literal_value<2
// error: {"named<\"y\">(astype<float>(2_c))"}
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  constexpr auto y = named<"c">(2_c);  // wrong
}
