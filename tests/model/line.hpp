// SPDX-License-Identifier: MIT
#pragma once
#include <xtensor/xtensor.hpp>

/// Points of y = 2 x + 1, at equal distances in [0, 1).
struct line {
  xt::xtensor<float, 2> x, y;
  explicit line(std::size_t count = 16) : x(xt::zeros<float>({count, std::size_t{1}})), y(x) {
    for (std::size_t i = 0; i < count; ++i) {
      x(i, 0) = static_cast<float>(i) / static_cast<float>(count);
      y(i, 0) = 2 * x(i, 0) + 1;
    }
  }
};
