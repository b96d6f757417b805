// SPDX-License-Identifier: MIT
// SES-16.
// error: this_call_has_the_wrong_arguments
// error: {"traced_run"}
// error: {"traced_run(session, metadata, y)"}
#include <etch/etch.hpp>
#include <etch/trace.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  run_metadata metadata;
  traced_run(s, y, x = {1, 2, 3});  // wrong
}
