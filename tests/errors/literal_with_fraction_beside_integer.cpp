// SPDX-License-Identifier: MIT
// GRA-18.
// error: this_literal_is_no_value_of_the_other_operands_dtype_cast_that_first
// error: literal_value<5
// error: expected<int>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"counts", int, 3> counts;

int main() {
  constexpr auto y = counts * 0.5_c;  // wrong
}
