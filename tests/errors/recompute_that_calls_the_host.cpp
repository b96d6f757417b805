// SPDX-License-Identifier: MIT
// error: what_is_computed_again_calls_no_function_of_the_host
#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/host_call.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto y = recompute([](auto a) { return a * host_call<"half">([](float v) { return v / 2; }, a); }, x);  // wrong
  session s(y);
}
