// SPDX-License-Identifier: MIT
// error: a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session
// error: {"tape::watch"}
// error: {"x"}, float, etch::shape<>
#include <etch/etch.hpp>
#include <etch/tape.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  tape t;
  t.watch(x);  // wrong
}
