// SPDX-License-Identifier: MIT
// P7 (a): one placeholder of named extent, one variable, one kernel.
#include <etch/etch.hpp>

using namespace etch::literals;

int main() {
  constexpr etch::placeholder<"x", float, etch::any<"n">, 3> x;
  constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3, 2>{}));
  constexpr auto y = etch::tanh(etch::matmul(x, w) * 0.1_c);
  etch::session session(y);
  session.initialize();
  const xt::xtensor<float, 2> value = session.run(y, x = {{1, 2, 3}, {4, 5, 6}});
  return value(1, 1) > 0.9f ? 0 : 1;
}
