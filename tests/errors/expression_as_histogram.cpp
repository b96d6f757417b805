// SPDX-License-Identifier: MIT
// error: an_expression_has_no_value_until_a_session_runs_it
// error: in_op<etch::multiply>
// error: {"session.run(y)"}
#include <etch/etch.hpp>
#include <etch/summary.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;

int main() {
  summary::file_writer writer("logs");
  writer.histogram("y", y, 1);  // wrong
}
