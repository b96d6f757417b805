// SPDX-License-Identifier: MIT
// error(gcc): an_extent_is_a_number_or_a_name_in_angle_brackets
// error(gcc): {"any<\"batch\">"}
// error(clang): variable template 'any' requires template arguments
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr placeholder<"x", float, any, 2> x;  // wrong
  session s(sum(x));
}
