// SPDX-License-Identifier: MIT
// error: a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<float, 1> x = {1, 2};
  const auto y = x + etch::zeros(etch::shape<etch::any<"n">>{});  // wrong
}
