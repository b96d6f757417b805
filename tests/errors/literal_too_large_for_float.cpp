// SPDX-License-Identifier: MIT
// error: this_literal_is_no_value_of_the_other_operands_dtype_cast_that_first
// error: expected<float>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"weights", float, 3> weights;

int main() {
  constexpr auto y = weights * 1e39_c;  // wrong
}
