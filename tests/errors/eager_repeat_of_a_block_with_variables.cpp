// SPDX-License-Identifier: MIT
// error: a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session
// error: {"block/w"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const tensor<float, 1> x = {1, 2};
  const auto y = repeat<2, "block">([](auto in, auto h) { return h + variable<in / "w">(zeros(shape<2>{})); }, x);  // wrong
}
