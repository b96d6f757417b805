// SPDX-License-Identifier: MIT
// Literals are part of the graph, and so is a placeholder of rank 0.
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"counts", int, 3> counts;
constexpr placeholder<"factor", float> factor;

int main() {
  constexpr auto y = x * 2_c + counts * 3_c + factor * 0.5_c;
  constexpr auto w = dropout<"noise">(y, factor);
  (void)w;
}
