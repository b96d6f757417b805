// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include "reference/run.hpp"

#include "control/counted.hpp"

/// Branches, and loops that end by themselves.
namespace etch {
namespace {

using namespace etch::literals;

constexpr placeholder<"x", float> x;
constexpr placeholder<"y", float> y;
constexpr placeholder<"p", bool> p;
constexpr placeholder<"i", std::int32_t> i;
constexpr placeholder<"n", std::int64_t> n;

}  // namespace

TEST_CASE("AG-01: only what the condition chooses is computed") {
  constexpr auto r = cond(p, [=] { return counted(x) * 2_c; }, [=] { return y + 1_c; });
  session s(r);
  runs_of_counted = 0;
  CHECK(s.run(r, p = true, x = 3, y = 10) == 6);
  CHECK(runs_of_counted == 1);
  CHECK(s.run(r, p = false, x = 3, y = 10) == 11);
  CHECK(runs_of_counted == 1);
  CHECK(reference::run(r, p = true, x = 3, y = 10) == 6);
  CHECK(reference::run(r, p = false, x = 3, y = 10) == 11);
}

TEST_CASE("AG-01: neither is its gradient, and what both branches or others need is computed once") {
  constexpr auto shared = counted(x * 1_c + 1_c);
  constexpr auto r = cond(p, [=] { return exp(shared) * y; }, [=] { return shared * shared; }) + shared;
  constexpr auto dx = gradient(r, x);
  constexpr auto dy = gradient(r, y);
  session s(r, dx, dy);
  runs_of_counted = 0;
  const auto [value, to_x, to_y] = s.run(r, dx, dy, p = true, x = 0.5f, y = 2);
  CHECK(runs_of_counted == 1);
  CHECK(value == doctest::Approx(std::exp(1.5) * 2 + 1.5));
  CHECK(to_x == doctest::Approx(std::exp(1.5) * 2 + 1));
  CHECK(to_y == doctest::Approx(std::exp(1.5)));
  const auto [other, other_x, other_y] = s.run(r, dx, dy, p = false, x = 0.5f, y = 2);
  CHECK(other == doctest::Approx(3.75));
  CHECK(other_x == doctest::Approx(4));
  CHECK(other_y == 0);

  constexpr auto lonely = cond(p, [=] { return exp(counted(x)); }, [=] { return y; });
  constexpr auto d = gradient(lonely, x);
  session s2(d);
  runs_of_counted = 0;
  CHECK(s2.run(d, p = false, x = 1, y = 1) == 0);
  CHECK(runs_of_counted == 0);
  CHECK(s2.run(d, p = true, x = 1, y = 1) == doctest::Approx(std::exp(1.)));
}

TEST_CASE("AG-02: branches give tuples, take arguments, and literals take the other's dtype") {
  constexpr auto r =
      cond(x > y, [](auto a, auto) { return std::tuple{a, 1_c}; }, [](auto, auto b) { return std::tuple{0_c, b}; }, x, y);
  session s(std::get<0>(r), std::get<1>(r));
  const auto [a, b] = s.run(std::get<0>(r), std::get<1>(r), x = 3, y = 2);
  CHECK(a == 3);
  CHECK(b == 1);
  const auto [c, d] = s.run(std::get<0>(r), std::get<1>(r), x = 1, y = 2);
  CHECK(c == 0);
  CHECK(d == 2);
  // A literal condition is the compiler's to decide.
  static_assert(std::is_same_v<decltype(cond(literal<true>, [] { return x * y; }, [] { return y; })), decltype(x * y)>);
}

TEST_CASE("AG-01: a case for each number, the last for all that are out of range") {
  constexpr auto r = switch_case(i, [=] { return x; }, [=] { return 2_c * x; }, [=] { return -x; });
  constexpr auto d = gradient(r, x);
  session s(r, d);
  const float expected[] = {1, 2, -1};
  for (const int k : {0, 1, 2, 3, 100, -1, std::numeric_limits<int>::min()}) {
    const auto [value, slope] = s.run(r, d, i = k, x = 1.5f);
    const float e = expected[k >= 0 && k < 3 ? k : 2];
    CHECK(value == 1.5f * e);
    CHECK(slope == e);
    CHECK(reference::run(r, i = k, x = 1.5f) == value);
  }
}

TEST_CASE("AG-01: a case may be chosen by a literal") {
  constexpr auto r = switch_case(1_c, [=] { return x; }, [=] { return 2_c * x; });
  session s(r);
  CHECK(s.run(r, x = 3) == 6);
}

TEST_CASE("AG-03: a loop goes on as long as its condition is true") {
  // The length of Collatz' sequence.
  constexpr auto r = while_loop(
      [](auto s) { return std::get<0>(s) != 1_c; },
      [](auto s) {
        auto [k, steps] = s;
        return std::tuple{cond(k % 2_c == 0_c, [=] { return floor_divide(k, 2_c); }, [=] { return 3_c * k + 1_c; }), steps + 1_c};
      },
      std::tuple{n, literal<0>});
  session s(std::get<1>(r));
  for (const std::int64_t start : {1, 2, 3, 27, 97, 871}) {
    int steps = 0;
    for (std::int64_t k = start; k != 1; k = k % 2 == 0 ? k / 2 : 3 * k + 1) ++steps;
    CHECK(s.run(std::get<1>(r), n = start) == steps);
    CHECK(reference::run(std::get<1>(r), n = start) == steps);
  }
}

TEST_CASE("AG-03: a loop of at most so many steps has gradients, those of the steps that it makes") {
  constexpr auto r = while_loop<40>([](auto s) { return s < 10_c; }, [=](auto s) { return s * x; }, literal<1.f>);
  constexpr auto d = gradient(r, x);
  constexpr auto second = gradient(d, x);
  session s(r, d, second);
  for (const float at : {2.f, 3.f, 1.1f, 1.5f, 1.01f, 20.f}) {
    CAPTURE(at);
    float value = 1;
    int steps = 0;
    for (; value < 10 && steps < 40; ++steps) value *= at;
    const auto [got, slope, curve] = s.run(r, d, second, x = at);
    CHECK(got == value);
    CHECK(slope == doctest::Approx(steps * std::pow(at, steps - 1)));
    CHECK(curve == doctest::Approx(steps * (steps - 1) * std::pow(at, steps - 2)));
  }
}

TEST_CASE("AG-03: the steps that are not made leave no NaN in the gradient") {
  // After the last step, 1 / (3 - s) would be infinite.
  constexpr auto r =
      while_loop<8>([](auto s) { return s < 3_c; }, [=](auto s) { return s + x / (3_c - s) * (3_c - s); }, literal<0.f>);
  constexpr auto d = gradient(r, x);
  session s(r, d);
  const auto [value, slope] = s.run(r, d, x = 1);
  CHECK(value == 3);
  CHECK(slope == doctest::Approx(3));
}

}  // namespace etch
