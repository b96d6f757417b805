// SPDX-License-Identifier: MIT
// SES-16.
// error: name_at_least_one_expression_to_compute
// error: {"traced_run"}
#include <etch/etch.hpp>
#include <etch/trace.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto y = x * 2_c;

int main() {
  session s(y);
  run_metadata metadata;
  traced_run(s, metadata, x = {1, 2, 3});  // wrong
}
