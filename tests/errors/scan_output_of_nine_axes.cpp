// SPDX-License-Identifier: MIT
// error: too_many_axes
// error: {"scan"}>, etch::operand<float, etch::shape<1, 1, 1, 1, 1, 1, 1, 2>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 1, 1, 1, 1, 1, 1, 1, 2> x;
constexpr placeholder<"xs", float, 3> xs;

int main() {
  constexpr auto both = scan([](auto s, auto e) { return std::pair{s * e, s}; }, x, xs);  // wrong
}
