// SPDX-License-Identifier: MIT
// error: loops: they are nested more than 63 deep
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

/// Each loop reads in its steps what another gives.
template <int Loops>
constexpr auto sums() {
  if constexpr (Loops == 0)
    return x;
  else
    return for_range<2>([](auto, auto s) { return s + sums<Loops - 1>(); }, x);
}

int main() {
  constexpr auto y = sums<64>();  // wrong
}
