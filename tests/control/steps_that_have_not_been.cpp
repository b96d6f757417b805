// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <reference/run.hpp>

// Gradients of gradients of loops that end before their last step: what the stacks of these steps hold makes no NaN. (Found by a random program,
// seed 20251.)

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double> x;

/// Loops of up to four steps; none at x = 2.
template <class Inner>
constexpr auto value(Inner inner) {
  const auto t =
      while_loop<4>([](auto s) { return s < 0.3_c; }, [=](auto s) { return s + etch::sqrt(1_c + square(inner(s) + 0.25_c)); }, x);
  return t * x;
}

template <class Inner>
void check(Inner inner) {
  constexpr auto y = value(Inner{});
  constexpr auto first = gradient(y, x);
  constexpr auto second = gradient(first, x);
  etch::session s(y, first, second);
  for (const double at : {-2.7, -1.357, 0.1, 2.0}) {
    CAPTURE(at);
    const double step = 1e-5, expected = (s.run(first, x = at + step) - s.run(first, x = at - step)) / (2 * step);
    CHECK(s.run(second, x = at) == doctest::Approx(expected).epsilon(1e-6));
    const auto [together, slope] = s.run(second, first, x = at);
    CHECK(together == doctest::Approx(expected).epsilon(1e-6));
    CHECK(std::isfinite(slope));
    CHECK(reference::run(second, x = at) == doctest::Approx(expected).epsilon(1e-6));
  }
  (void)inner;
}

}  // namespace

TEST_CASE("a loop of one step, of none, of several and none at all within a loop that may end early") {
  check([](auto s) { return for_range<1>([](auto, auto t) { return t; }, s); });
  check([](auto s) { return for_range<0>([](auto, auto t) { return etch::sqrt(t); }, s); });
  check([](auto s) { return for_range<3>([](auto, auto t) { return etch::sin(t) + t; }, s); });
  check([](auto s) { return s; });
}

TEST_CASE("functions whose slopes are infinite at 0 and at 1") {
  check([](auto s) { return for_range<2>([](auto, auto t) { return t * 0.5_c + etch::log(1_c + square(t)); }, s); });
  check([](auto s) { return for_range<1>([](auto, auto t) { return etch::sqrt(square(t) + 0.01_c); }, s); });
  check([](auto s) { return for_range<1>([](auto, auto t) { return 1_c / (1_c + square(t)); }, s); });
}

TEST_CASE("outputs of steps that have not been are 0, also beside gradients that read them") {
  constexpr auto loop =
      while_loop<4>([](auto s) { return s < 2_c; }, [](auto s) { return std::pair{s * s + 1_c, etch::exp(s) * s}; }, x);
  constexpr auto outputs = std::get<1>(loop);
  constexpr auto slope = gradient(sum(etch::sqrt(outputs + 1_c)), x);
  constexpr auto curvature = gradient(slope, x);
  etch::session s(outputs, slope, curvature);
  for (const double at : {0.5, 1.1, 1.75, 2.5}) {
    CAPTURE(at);
    const auto alone = s.run(outputs, x = at);
    const auto [values, first, second] = s.run(outputs, slope, curvature, x = at);
    CHECK(alone == values);
    CHECK(reference::run(outputs, x = at) == values);
    double state = at;
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(values(k) == doctest::Approx(state < 2 ? std::exp(state) * state : 0));
      if (state < 2) state = state * state + 1;
    }
    const double step = 1e-5;
    const auto sum_at = [&](double v) {
      double total = 0;
      for (const double y : s.run(outputs, x = v)) total += std::sqrt(y + 1);
      return total;
    };
    CHECK(first == doctest::Approx((sum_at(at + step) - sum_at(at - step)) / (2 * step)).epsilon(1e-6));
    CHECK(second == doctest::Approx((s.run(slope, x = at + step) - s.run(slope, x = at - step)) / (2 * step)).epsilon(1e-6));
  }
}

TEST_CASE("outputs of every kind are 0 where steps have not been, NaN where they have") {
  constexpr placeholder<"row", float, 3> row;
  constexpr auto loop = while_loop<4>([](auto v) { return sum(v) < 20_c; },
                                      [](auto v) {
                                        const auto outputs = std::tuple{astype<bfloat16>(v), astype<double>(v), v > 3_c,
                                                                        astype<std::int32_t>(v), (v - v) / (v - v)};
                                        return std::pair{v * 2_c, outputs};
                                      },
                                      row);
  constexpr auto outputs = std::get<1>(loop);
  etch::session s(outputs);
  for (const float first : {1.f, 30.f}) {
    const xt::xtensor<float, 1> begin = {first, 2, 3};
    const auto [narrow, wide, larger, integers, not_numbers] = s.run(outputs, row = begin);
    const auto of_reference = reference::run(outputs, row = begin);
    CHECK(wide == std::get<1>(of_reference));
    const int made = first == 1 ? 2 : 0;  // sums of 6 and 12, then 24
    for (std::size_t k = 0; k < 4; ++k) {
      const bool been = static_cast<int>(k) < made;
      const float value = been ? (k == 0 ? 3.f : 6.f) : 0.f;
      CHECK(static_cast<float>(narrow(k, 2)) == value);
      CHECK(wide(k, 2) == value);
      CHECK(larger(k, 2) == (value > 3));
      CHECK(integers(k, 2) == static_cast<int>(value));
      CHECK(std::isnan(not_numbers(k, 2)) == been);
      if (!been) CHECK(not_numbers(k, 2) == 0);
    }
  }
}

TEST_CASE("a step that has not been adds nothing to the gradient of a matrix, though what it would read is infinite") {
  constexpr placeholder<"c", double> c;
  constexpr placeholder<"a", double, 2, 2> a;
  constexpr placeholder<"w", double, 2, 2> w;
  constexpr auto y = while_loop<3>([=](auto) { return c > 0_c; }, [=](auto t) { return matmul(t / c, w); }, a);
  constexpr auto slope = gradient(sum(y), w);
  etch::session s(slope, gradient(slope, w));
  const xt::xtensor<double, 2> begin = {{1, 2}, {3, 4}}, one = {{1, 0}, {0, 1}};
  const xt::xtensor<double, 2> none = s.run(slope, a = begin, w = one, c = 0.0);
  CHECK(none == xt::zeros<double>({2, 2}));
  CHECK(s.run(gradient(slope, w), a = begin, w = one, c = 0.0) == none);
  const xt::xtensor<double, 2> three = s.run(slope, a = begin, w = one, c = 1.0);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const double step = 1e-5;
      xt::xtensor<double, 2> above = one, below = one;
      above(i, j) += step;
      below(i, j) -= step;
      etch::session v(sum(y));
      const double expected =
          (v.run(sum(y), a = begin, w = above, c = 1.0) - v.run(sum(y), a = begin, w = below, c = 1.0)) / (2 * step);
      CHECK(three(i, j) == doctest::Approx(expected).epsilon(1e-8));
    }
}
