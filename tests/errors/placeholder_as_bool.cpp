// SPDX-License-Identifier: MIT
// GRA-03.
// error: an_expression_has_no_value_until_a_session_runs_it
// error: {"training"}, bool, etch::shape<
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"training", bool> training;

int main() {
  if (training) return 1;  // wrong
}
