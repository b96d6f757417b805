// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"switch_case"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  const auto y = switch_case(1, [] { return x * 2_c; }, [] { return x * 3_c; });  // wrong
}
