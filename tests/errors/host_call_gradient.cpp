// SPDX-License-Identifier: MIT
// error: there_is_no_gradient_through_this_op
// error: host_calling
// error: {"square"}
#include <etch/etch.hpp>
#include <etch/host_call.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;
constexpr auto y = host_call<"square">([](float a) { return a * a; }, x);
constexpr auto slope = gradient(y, x);

int main() {
  session s(slope);
  s.run(slope, x = 1);  // wrong
}
