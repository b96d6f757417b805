// SPDX-License-Identifier: MIT
// error: an_expression_has_no_value_until_a_session_runs_it
// error: {"x"}, float, etch::shape<2, 3>
// error: {"session.run(y)"}
// NP-06.
#include <cmath>

#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto y = std::exp(x);  // wrong
}
