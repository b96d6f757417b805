// SPDX-License-Identifier: MIT
// error: a_host_call_takes_a_function_without_captures
// error: host_call_named
// error: {"log"}
#include <etch/etch.hpp>
#include <etch/host_call.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  float total = 0;
  const auto y = host_call<"log">([&](float a) { total += a; }, x);  // wrong
  session session(y);
  session.run(y, x = 1.f);
}
