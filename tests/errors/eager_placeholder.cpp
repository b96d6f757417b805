// SPDX-License-Identifier: MIT
// EAG-04.
// error: a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session
// error: {"x"}, float
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  constexpr etch::placeholder<"x", float, 2> x;
  const etch::tensor<float, 1> weights = {1, 2};
  const auto y = weights * etch::exp(x);  // wrong
}
