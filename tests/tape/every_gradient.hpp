// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/session/reference.hpp>
#include <etch/tape.hpp>

/// "Of every differentiable op and function of ops a tape gives the first and the second derivative that the reference gives of the
/// graph." The calls are those of tests/alone/calls.txt.
namespace etch::every_gradient {

namespace slots {
constexpr placeholder<"x", float, 4, 6> x;
constexpr placeholder<"y", float, 4, 6> y;
constexpr placeholder<"b", bool, 4, 6> b;
constexpr placeholder<"i", std::int32_t, 4, 6> i;
constexpr placeholder<"rows", std::int32_t, 3> rows;
constexpr placeholder<"labels", std::int32_t, 4> labels;
}  // namespace slots

struct arrays {
  xt::xtensor<float, 2> x = xt::xtensor<float, 2>::from_shape({4, 6}), y = x;
  xt::xtensor<bool, 2> b = xt::xtensor<bool, 2>::from_shape({4, 6});
  xt::xtensor<std::int32_t, 2> i = xt::xtensor<std::int32_t, 2>::from_shape({4, 6});
  xt::xtensor<std::int32_t, 1> rows{2, 0, 3}, labels{1, 5, 0, 2};

  /// Inside the domain of nearly every op; of acosh it is NaN.
  explicit arrays(std::size_t number) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      x.data()[k] = 0.1f + 0.8f * static_cast<float>((k + number) * 37 % 101) / 101.f;
      y.data()[k] = 0.1f + 0.8f * static_cast<float>((k + number) * 59 % 101) / 101.f;
      b.data()[k] = (k + number) * 7 % 5 < 2;
      i.data()[k] = static_cast<std::int32_t>((k + number) * 5 % 4);
    }
  }
};

inline void compare(const tensor<float, 2>& got, const xt::xtensor<float, 2>& wanted, const std::string& what) {
  REQUIRE(got.size() == static_cast<std::int64_t>(wanted.size()));
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const float a = got.data()[k], b = wanted.data()[k];
    const bool alike = (std::isnan(a) && std::isnan(b)) || a == b || std::abs(a - b) <= 3e-5f * (1 + std::abs(b));
    CHECK_MESSAGE(alike, what << ", element " << k << ": " << a << " for " << b);
  }
}

template <class F>
void check(const char* text, F f) {
  constexpr auto e = F{}(slots::x, slots::y, slots::b, slots::i, slots::rows, slots::labels);
  constexpr auto first = etch::gradient(sum(e), slots::x);
  constexpr auto second = etch::gradient(sum(first * slots::x), slots::x);
  for (const std::size_t number : {0u, 5u}) {
    const arrays a(number);
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

#define ETCH_CHECK(...)                                                                                                      \
  check(#__VA_ARGS__, []([[maybe_unused]] auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto b, [[maybe_unused]] auto i, \
                         [[maybe_unused]] auto rows, [[maybe_unused]] auto labels) { return __VA_ARGS__; })

}  // namespace etch::every_gradient
