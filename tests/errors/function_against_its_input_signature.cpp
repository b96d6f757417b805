// SPDX-License-Identifier: MIT
// FUN-09, AT-13c.
// error: the_arguments_do_not_fit_the_input_signature
// error: tensor_spec<float>
// error: tensor_spec<int>
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  function add_print([](auto x) { return x + 1_c; }, input_signature<tensor_spec<float>>);
  add_print(tensor(3.f));
  add_print(tensor(3));  // wrong
}
