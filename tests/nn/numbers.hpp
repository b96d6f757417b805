// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/etch.hpp>

/// Numbers in [low, high) that Python makes, too: clients/losses.py.
inline xt::xtensor<double, 2> numbers(std::uint32_t seed, std::size_t rows, std::size_t columns, double low = 0, double high = 1) {
  xt::xtensor<double, 2> all = xt::zeros<double>({rows, columns});
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::uint32_t i = static_cast<std::uint32_t>(k) + seed * 100003;
    i *= 2654435761U;
    i ^= i >> 15;
    i *= 2246822519U;
    i ^= i >> 13;
    all.data()[k] = low + (high - low) * (i / 4294967296.0);
  }
  return all;
}
