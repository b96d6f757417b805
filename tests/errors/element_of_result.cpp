// SPDX-License-Identifier: MIT
// GRA-03.
// error: an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather
// error: {"slice(y, section<0, 1>)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = (x * 2_c)[0];  // wrong
}
