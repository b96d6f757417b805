// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <etch/etch.hpp>
#include <etch/optimizers.hpp>
#include <nn/optimizer_values.hpp>

/// The regression of clients/optimizers.py, trained by etch.
namespace regression {

using namespace etch;

constexpr placeholder<"x", double, 4, 3> x;
constexpr placeholder<"y", double, 4, 2> y;
constexpr auto kernel = variable<"kernel">(zeros<double>(shape<3, 2>{}));
constexpr auto bias = variable<"bias">(zeros<double>(shape<2>{}));
constexpr auto loss = mean(square(matmul(x, kernel) + bias - y));

struct batch {
  xt::xtensor<double, 2> x = xt::zeros<double>({4, 3}), y = xt::zeros<double>({4, 2});
  explicit batch(int step) {
    for (std::size_t i = 0; i < 12; ++i) x.data()[i] = std::sin(1.0 + 0.7 * static_cast<double>(i) + 0.3 * step);
    for (std::size_t i = 0; i < 8; ++i) y.data()[i] = std::cos(0.5 + 0.9 * static_cast<double>(i) - 0.2 * step);
  }
};

inline void start(auto& s) {
  s.initialize();
  s.set(kernel, {{0.5, -1}, {0.25, 2}, {-0.75, 1.5}});
  s.set(bias, {0.1, -0.2});
}

/// Whether the weights are those that an oracle had after `step` steps: true where it has none.
inline bool agrees(const char* name, int step, const auto& of_kernel, const auto& of_bias, double tolerance) {
  bool all = true;
  for (const oracle::weights& w : oracle::trained)
    if (std::strcmp(w.name, name) == 0 && w.step == step)
      for (std::size_t i = 0; i < 8; ++i) {
        const double value = i < 6 ? of_kernel.data()[i] : of_bias.data()[i - 6];
        if (!(std::abs(value - w.values[i]) <= tolerance)) {
          all = false;
          MESSAGE(std::string(name), " step ", step, " weight ", i, ": ", value, " is off by ", value - w.values[i]);
        }
      }
  return all;
}

/// 200 steps of an expression that trains, with the oracle's weights at some of them.
template <class Train>
void check_step(const char* name, Train train, double tolerance = 1e-11) {
  session s(train);
  start(s);
  for (int step = 0; step < 200; ++step) {
    const batch b(step);
    s.run(train, x = b.x, y = b.y);
    REQUIRE(agrees(name, step + 1, s.get(kernel), s.get(bias), tolerance));
  }
}
template <class Optimizer>
void check(const char* name, Optimizer optimizer, double tolerance = 1e-11) {
  check_step(name, optimizer.minimize(loss), tolerance);
}

}  // namespace regression
