// SPDX-License-Identifier: MIT
// error: this_dtype_is_for_storage_write_astype_float_of_it_first
// error: {"x"}, etch::bfloat16, etch::shape<2, 3, 4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", bfloat16, 2, 3, 4> x;

int main() {
  constexpr auto y = einsum<"abc,dbc->ad">(x, x);  // wrong
}
