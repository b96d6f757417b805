// SPDX-License-Identifier: MIT
// error: no_variable_of_the_session_has_this_name
// error: variable_named<
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, any<"n">, 3> x;

int main() {
  constexpr auto y = nn::dense<"hidden", 2>(x);
  session s(y);
  s.initialize();
  const auto w = s.get<"hidden/kernal">();  // wrong
}
