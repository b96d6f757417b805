// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"debug_run"}
// error: {"debug_run(session, trap_nan{}, y)"}
#include <etch/debug.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  debug_run(s, y, x = {1, 2, 3});  // wrong
}
