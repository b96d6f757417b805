// SPDX-License-Identifier: MIT
// What a gradient reads of nine loops in one another has nine axes more.
// error: a_gradient_keeps_values_of_loops_in_one_another_along_too_many_axes_recompute_the_inner_ones
#include <etch/control.hpp>
#include <etch/etch.hpp>

constexpr etch::placeholder<"x", double> x;

template <int Depth, class S>
constexpr auto nest(S s) {
  if constexpr (Depth == 0)
    return etch::sin(s) * x;
  else
    return etch::for_range<2>([](auto, auto t) { return nest<Depth - 1>(t); }, s);
}

int main() {
  constexpr auto y = nest<9>(x);
  etch::session s(y);
  s.run(etch::gradient(y, x), x = 1.0);  // wrong
}
