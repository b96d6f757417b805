// SPDX-License-Identifier: MIT
// GRA-18.
// error: this_literal_is_no_value_of_the_other_operands_dtype_cast_that_first
// error: literal_value<300
// error: expected<unsigned char>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"pixels", std::uint8_t, 3> pixels;

int main() {
  constexpr auto y = pixels + 300_c;  // wrong
}
