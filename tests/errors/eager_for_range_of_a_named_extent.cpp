// SPDX-License-Identifier: MIT
// error: a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session
// error: {"for_range"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 1> x = {1, 2};
  const auto y = for_range<any<"n">>([](auto, auto s) { return s * 2_c; }, x);  // wrong
}
