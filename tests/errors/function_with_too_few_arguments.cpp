// SPDX-License-Identifier: MIT
// error: the_body_of_this_function_does_not_take_these_arguments
// error: tensor_spec<float>
#include <etch/function.hpp>

using namespace etch;

int main() {
  function f([](auto x, auto y) { return x + y; });
  f(tensor(3.f));  // wrong
}
