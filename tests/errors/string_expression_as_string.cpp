// SPDX-License-Identifier: MIT
// error: an_expression_has_no_value_until_a_session_runs_it
// error: {"session.run(y)"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

int main() {
  const std::string text = x + "!"_c;  // wrong
}
