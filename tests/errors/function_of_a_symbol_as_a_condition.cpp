// SPDX-License-Identifier: MIT
// FUN-08.
// error: an_expression_has_no_value_until_a_session_runs_it
// error: slot_named
// error: argument_0
// error: expected<bool>
#include <etch/function.hpp>

using namespace etch;

int main() {
  function f([](auto x) {
    if (x) return x;  // wrong
    return x;
  });
  f(tensor(true));
}
