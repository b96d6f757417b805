// SPDX-License-Identifier: MIT
// FUN-13.
// error: this_is_no_argument_of_a_traced_function
// error: char
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  function f([](auto x) { return x; });
  const char* name = "x";
  f(name);  // wrong
}
