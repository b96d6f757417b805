// SPDX-License-Identifier: MIT
// error: a_host_call_of_this_name_is_another_one_give_each_a_name
// error: host_call_named
// error: {"scale"}
#include <etch/etch.hpp>
#include <etch/host_call.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

constexpr auto y = host_call<"scale">([](float a) { return 2 * a; }, x);
constexpr auto z = host_call<"scale">([](float a) { return 3 * a; }, x);  // wrong

int main() {
  session s(y + z);
  s.run(y + z, x = 1.f);
}
