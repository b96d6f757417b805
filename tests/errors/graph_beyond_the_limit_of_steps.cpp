// SPDX-License-Identifier: MIT
// flags(gcc): -fconstexpr-ops-limit=200000
// flags(clang): -fconstexpr-steps=12000
// error(gcc): limit of 200000 (use '-fconstexpr-ops-limit=' to increase the limit)
// error(clang): 'made_within_the_limit_of_fconstexpr_steps' must be initialized by a constant expression
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, any<"n">, 8> x;

template <int Depth, expression E>
constexpr auto deep(E e) {
  if constexpr (Depth == 0)
    return e;
  else
    return deep<Depth - 1>(etch::tanh(e) + etch::exp(e));
}

int main() {
  constexpr auto y = sum(deep<24>(x));
  session s(y);
  const float r = s.run(y, x = xt::xtensor<float, 2>());  // wrong
}
