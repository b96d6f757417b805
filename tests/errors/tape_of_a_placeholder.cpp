// SPDX-License-Identifier: MIT
// error: a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session
// error: {"tape::gradient"}
// error: {"x"}, float, etch::shape<>
#include <etch/etch.hpp>
#include <etch/tape.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  const tensor<float, 0> e(2.f);
  tape t;
  const auto d = t.gradient(e * e, x);  // wrong
}
