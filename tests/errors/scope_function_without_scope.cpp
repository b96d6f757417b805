// SPDX-License-Identifier: MIT
// error: a_scope_takes_a_function_of_the_scope_and_the_arguments
// error: {"scope"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"[](auto in, auto x) { return x; }"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = scope<"model">([](auto a) { return a * a; }, x);  // wrong
}
