// SPDX-License-Identifier: MIT
// error: only_a_variable_has_a_value_in_a_session_run_an_expression
// error: {"set"}
// error: {"x"}, float, etch::shape<2>
// error: {"set(w, values)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);

int main() {
  session s(y, update);
  s.set(x, 1.f);  // wrong
}
