// SPDX-License-Identifier: MIT
// error: this_is_no_letter
// error: letter<'2'>
// error: in_function<
// error: {"einsum"}
// error: {"a"}, float, etch::shape<2, 3>
// error: {"b"}, float, etch::shape<4, 5>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"a", float, 2, 3> a;
constexpr placeholder<"b", float, 4, 5> b;

int main() {
  constexpr auto y = einsum<"2j,jk->2k">(a, b);  // wrong
}
