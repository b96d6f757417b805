// SPDX-License-Identifier: MIT
// What the fetches do not need, and what lies behind a fed node, need not be fed.
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;
constexpr placeholder<"unused", float> unused;
constexpr auto square_of_x = x * x;
constexpr auto y = square_of_x + 1_c;
constexpr auto z = y + unused;

int main() {
  session s(z);
  s.run(y, x = 2.f);
  s.run(y, square_of_x = 4.f);
}
