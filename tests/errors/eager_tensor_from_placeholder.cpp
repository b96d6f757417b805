// SPDX-License-Identifier: MIT
// EAG-04.
// error: a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  constexpr etch::placeholder<"x", float, 2> x;
  const etch::tensor<float, 1> y = etch::exp(x);  // wrong
}
