// SPDX-License-Identifier: MIT
// error: an_extent_is_a_number_or_a_name_in_angle_brackets
// error: {"any<\"batch\">"}
#include <etch/etch.hpp>

using namespace etch;
struct batch {};

int main() {
  constexpr placeholder<"x", float, batch{}, 2> x;  // wrong
}
