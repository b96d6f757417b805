// SPDX-License-Identifier: MIT
// error: a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder
// error: host_call_named
// error: {"add"}
// error: {"x"}
#include <etch/etch.hpp>
#include <etch/host_call.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  const auto y = host_call<"add">([](float a, float b) { return a + b; }, x, 2.0f);  // wrong
}
