// SPDX-License-Identifier: MIT
// P7 (d): a chain of ETCH_LENGTH operations; with ETCH_SHARED, x + sin(x) again and again: as a tree it would have
// 2^(ETCH_LENGTH / 2) leaves.
#include <etch/etch.hpp>

// By halves: the depth of instantiations grows with the logarithm.
template <int n>
constexpr auto chain(auto x) {
  if constexpr (n > 2)
    return chain<n / 4 * 2>(chain<n - n / 4 * 2>(x));
  else if constexpr (ETCH_SHARED)
    return x + etch::sin(x);
  else
    return etch::sin(etch::tanh(x));
}

int main() {
  constexpr etch::placeholder<"x", float, etch::any<"n">> x;
  constexpr auto y = chain<ETCH_LENGTH>(x);
  etch::session session(y);
  const xt::xtensor<float, 1> value = session.run(y, x = {1, 2, 3});
  return value(0) == value(0) ? 0 : 1;
}
