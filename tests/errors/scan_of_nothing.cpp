// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"scan"}
// error: {"scan(f, state, xs)"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"h", float> h;

int main() {
  constexpr auto y = scan([](auto s) { return s; }, h);  // wrong
}
