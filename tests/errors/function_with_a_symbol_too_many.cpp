// SPDX-License-Identifier: MIT
// error: the_body_of_this_function_does_not_take_these_arguments
// error: {"x"}, float, etch::shape<>
#include <etch/etch.hpp>
#include <etch/function.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  function f([](auto a) { return a; });
  const auto y = f(x, x);  // wrong
  session s(y);
}
