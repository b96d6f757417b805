// SPDX-License-Identifier: MIT
// error: an_expression_cannot_be_changed_make_another_or_assign_to_a_variable
// error: in_op<etch::multiply>
// error: {"assign(x, x + step)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
auto y = x * 2_c;

int main() {
  y += x;  // wrong
}
