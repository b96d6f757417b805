// SPDX-License-Identifier: MIT
// error: write_the_name_in_angle_brackets
// error: {"scope"}
// error: {"scope<\"a\">(f, x)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = scope([](auto, auto a) { return a * a; }, x);  // wrong
}
