// SPDX-License-Identifier: MIT
// error: write_the_name_in_angle_brackets
// error: {"repeat"}
// error: repeat<12, \"block\">(f, x)
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto y = repeat<3>([](auto, auto h) { return h; }, x);  // wrong
}
