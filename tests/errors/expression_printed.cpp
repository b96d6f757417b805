// SPDX-License-Identifier: MIT
// GRA-03.
// error: an_expression_has_no_value_until_a_session_runs_it
// error: in_op<etch::sum>
// error: {"session.run(y)"}
// error: {"etch::to_text(y)"}
#include <iostream>

#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = sum(x);

int main() {
  std::cout << y;  // wrong
}
