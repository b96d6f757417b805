// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <doctest/doctest.h>

#include "reference/run.hpp"
#include <etch/tape.hpp>

#include "every_call/operands.hpp"

/// "Of every differentiable op and function of ops a tape gives the first and the second derivative that the reference gives of the
/// graph."
namespace etch::every_gradient {

inline void compare(const tensor<float, 2>& got, const xt::xtensor<float, 2>& wanted, const std::string& what) {
  REQUIRE(got.size() == static_cast<std::int64_t>(wanted.size()));
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const float a = got.data()[k], b = wanted.data()[k];
    const bool alike = (std::isnan(a) && std::isnan(b)) || a == b || std::abs(a - b) <= 3e-5f * (1 + std::abs(b));
    CHECK_MESSAGE(alike, what << ", element " << k << ": " << a << " for " << b);
  }
}

template <every_call::kind Kind, class F>
void check(const char* text, F f) {
  if constexpr (Kind != every_call::kind::value) {
    namespace slots = every_call::slots;
    constexpr auto e = F{}(slots::x, slots::y, slots::b, slots::i, slots::rows, slots::labels);
    constexpr auto first = etch::gradient(sum(e), slots::x);
    constexpr auto second = etch::gradient(sum(first * slots::x), slots::x);
    for (const std::size_t number : {0u, 5u}) {
      const every_call::arrays a = every_call::tame_arrays(number);
      const tensor<float, 2> x = a.x, y = a.y;
      const tensor<bool, 2> b = a.b;
      const tensor<std::int32_t, 2> i = a.i;
      const tensor<std::int32_t, 1> rows = a.rows, labels = a.labels;
      tape outer, inner;
      const auto slope = inner.gradient(f(x, y, b, i, rows, labels), x);
      const auto curvature = outer.gradient(sum(slope * x), x);
      const auto [wanted, wanted_second] = reference::run(first, second, slots::x = a.x, slots::y = a.y, slots::b = a.b,
                                                          slots::i = a.i, slots::rows = a.rows, slots::labels = a.labels);
      compare(slope, wanted, text);
      compare(curvature, wanted_second, std::string("the second of ") + text);
    }
  }
}

}  // namespace etch::every_gradient
