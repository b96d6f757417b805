// SPDX-License-Identifier: MIT
// What chain.cpp computes, as one lazy xtensor expression: its type is a tree, so a shared chain is refused.
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>

static_assert(!ETCH_SHARED, "2^(ETCH_LENGTH / 2) leaves");

template <int n, class X>
auto chain(X&& x) {
  if constexpr (n > 2)
    return chain<n / 4 * 2>(chain<n - n / 4 * 2>(std::forward<X>(x)));
  else
    return xt::sin(xt::tanh(std::forward<X>(x)));
}

int main() {
  const xt::xtensor<float, 1> x = {1, 2, 3};
  const xt::xtensor<float, 1> value = chain<ETCH_LENGTH>(x);
  return value(0) == value(0) ? 0 : 1;
}
