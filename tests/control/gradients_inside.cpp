// SPDX-License-Identifier: MIT
#include <cmath>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch::literals;

/// Gradients that a body asks for, of what is made of values outside of it: what lies between is of the body, whoever else computes it.
namespace {

constexpr etch::placeholder<"x", double> x;
constexpr etch::placeholder<"v", double> v;
constexpr etch::placeholder<"p", bool> p;
constexpr auto square = v * v;
constexpr auto cube = square * v;
constexpr auto power = etch::for_range<3>([](auto, auto s) { return s * v; }, 1.0_c * v);  // v^4

template <int Depth, class S>
constexpr auto nest(S s) {
  if constexpr (Depth == 0)
    return etch::sin(s) * v;
  else
    return etch::for_range<1>([](auto, auto t) { return nest<Depth - 1>(t); }, s);
}

}  // namespace

TEST_CASE("AG-03: a loop asks for gradients with respect to what is outside of it, partly of what no step changes") {
  // d (v^2 s) / dv = 2 v s, so that each step multiplies by 1 - v / 4.
  constexpr auto y = etch::for_range<3>([](auto, auto s) { return s - 0.125_c * etch::gradient(square * s, v); }, x);
  etch::session s(y, square, etch::gradient(y, v), etch::gradient(y, x));
  for (const double at : {2., -1., 0.5}) {
    const double factor = 1 - at / 4, expected = 3 * factor * factor * factor;
    CHECK(s.run(y, x = 3, v = at) == doctest::Approx(expected));
    const auto [value, outside, by_v, by_x] = s.run(y, square, etch::gradient(y, v), etch::gradient(y, x), x = 3, v = at);
    CHECK(value == doctest::Approx(expected));
    CHECK(outside == at * at);
    CHECK(by_v == doctest::Approx(3 * 3 * factor * factor * -0.25));
    CHECK(by_x == doctest::Approx(factor * factor * factor));
  }
}

TEST_CASE("AG-03: a branch asks for gradients of what is computed whatever is chosen") {
  constexpr auto y =
      etch::cond(p, [] { return etch::gradient(cube * x, v); }, [] { return etch::gradient(etch::gradient(cube, v), v) + x; });
  constexpr auto slope = etch::gradient(y, v);
  etch::session s(y, cube, slope);
  const auto [chosen, outside, chosen_slope] = s.run(y, cube, slope, p = true, x = 5, v = 2);
  CHECK(chosen == 3 * 4 * 5);
  CHECK(outside == 8);
  CHECK(chosen_slope == 6 * 2 * 5);
  const auto [other, again, other_slope] = s.run(y, cube, slope, p = false, x = 5, v = 2);
  CHECK(other == 6 * 2 + 5);
  CHECK(again == 8);
  CHECK(other_slope == 6);
}

TEST_CASE("AG-03: a loop in a branch in a loop asks for a gradient through another loop") {
  constexpr auto y = etch::for_range<2>(
      [](auto, auto s) {
        return etch::cond(
            p, [=] { return etch::for_range<2>([=](auto, auto t) { return t + etch::gradient(power * t, v); }, s); },
            [=] { return s * power; });
      },
      x);
  constexpr auto slope = etch::gradient(y, v);
  etch::session s(y, power, slope);
  const auto [chosen, outside, by_v] = s.run(y, power, slope, p = true, x = 2, v = 0.5);
  const double factor = 1 + 4 * 0.125;  // t + 4 v^3 t
  CHECK(chosen == doctest::Approx(2 * std::pow(factor, 4)));
  CHECK(outside == doctest::Approx(0.0625));
  CHECK(by_v == doctest::Approx(2 * 4 * std::pow(factor, 3) * 12 * 0.25));
  CHECK(s.run(y, p = false, x = 2, v = 0.5) == doctest::Approx(2 * std::pow(0.5, 8)));
}

TEST_CASE("AG-03: what a gradient reads of eight loops in one another has eight axes, the most that there are") {
  constexpr auto y = nest<8>(x);
  constexpr auto slope = etch::gradient(y, x);
  etch::session s(y, slope);
  const auto [value, by_x] = s.run(y, slope, x = 0.5, v = 3);
  CHECK(value == doctest::Approx(3 * std::sin(0.5)));
  CHECK(by_x == doctest::Approx(3 * std::cos(0.5)));
}
