// SPDX-License-Identifier: MIT
// error: a_loops_condition_takes_the_state
// error: {"while_loop"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = while_loop([](auto s, auto i) { return s < i; }, [](auto s) { return s * 2_c; }, h);  // wrong
}
