// SPDX-License-Identifier: MIT
// error: this_function_cannot_be_called_with_these_operands
// error: host_call_named
// error: {"add"}
// error: {"x"}
#include <etch/etch.hpp>
#include <etch/host_call.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

constexpr auto y = host_call<"add">([](float a, float b) { return a + b; }, x);  // wrong

int main() {}
