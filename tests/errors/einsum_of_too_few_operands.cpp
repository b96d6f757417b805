// SPDX-License-Identifier: MIT
// error: there_are_not_as_many_operands_as_lists_of_letters
// error: number_of_operands<3>
// error: in_function<
// error: {"einsum"}
// error: {"a"}, float, etch::shape<2, 3>
// error: {"b"}, float, etch::shape<4, 5>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"a", float, 2, 3> a;
constexpr placeholder<"b", float, 4, 5> b;

int main() {
  constexpr auto y = einsum<"ij,kl,lm->im">(a, b);  // wrong
}
