// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <type_traits>

#include <xtensor/xtensor.hpp>

/// A product of matrices as its definition says it, in plain loops: what etch's are compared with; and numbers for it.
namespace laws {

/// Of a generator of its own, in [low, high].
template <class T, std::size_t Rank>
xt::xtensor<T, Rank> integers(std::array<std::size_t, Rank> extents, int low, int high, unsigned seed) {
  xt::xtensor<T, Rank> made = xt::zeros<T>(extents);
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> draw(low, high);
  for (T& v : made) v = static_cast<T>(draw(generator));
  return made;
}

/// a times b; of integers modulo 2 to the power of their bits. By pointers: without optimisation elements that xtensor finds by two
/// indices took nearly all of the time of the laws that compare large products.
template <class T>
xt::xtensor<T, 2> plain_product(const xt::xtensor<T, 2>& a, const xt::xtensor<T, 2>& b) {
  // Sums of unsigned numbers wrap.
  using sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  const std::size_t m = a.shape()[0], k = a.shape()[1], n = b.shape()[1];
  xt::xtensor<T, 2> c = xt::zeros<T>({m, n});
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t p = 0; p < k; ++p) {
      const sum factor = static_cast<sum>(a.data()[i * k + p]);
      const T* const row = b.data() + p * n;
      T* const to = c.data() + i * n;
      for (std::size_t j = 0; j < n; ++j) to[j] = static_cast<T>(static_cast<sum>(to[j]) + factor * static_cast<sum>(row[j]));
    }
  return c;
}

}  // namespace laws
