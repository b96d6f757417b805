// SPDX-License-Identifier: MIT
// SCO-05.
// error: variable_is_declared_twice
// error: {"model/hidden/bias"}, float, etch::shape<4>
// error: {"model/hidden/bias"}, float, etch::shape<5>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto four = scope<"model">([](auto in, auto a) { return nn::dense<in / "hidden", 4>(a); }, x);
  const auto five = scope<"model">([](auto in, auto a) { return nn::dense<in / "hidden", 5>(a); }, x);
  session s(four, five);  // wrong
}
