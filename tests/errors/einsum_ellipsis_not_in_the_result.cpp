// SPDX-License-Identifier: MIT
// error: the_result_has_no_ellipsis_but_an_operand_has
// error: in_function<
// error: {"einsum"}
// error: {"a"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"a", float, 2, 3> a;

int main() {
  constexpr auto y = einsum<"...j->j">(a);  // wrong
}
