// SPDX-License-Identifier: MIT
#include <etch/control.hpp>

#include "laws/modes.hpp"

/// "What `where` has not taken contributes 0 to gradients", through branches, loops and what is computed again.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double, 3> x;
constexpr placeholder<"p", double> p;

void check(const auto& got, const std::vector<double>& expected, const char* what) {
  laws::check_described(laws::described(got), {{3}, expected}, 1e-13, what);
}

}  // namespace

TEST_CASE("AG-03: a branch that where has not taken, and where in a branch") {
  // sqrt(u) for p > 0, else 3 u, of u = sqrt(x), which is taken where it is above 0: x^(1/4), 3 sqrt(x).
  constexpr auto u = etch::sqrt(x);
  constexpr auto y = cond(p > 0_c, [=] { return etch::sqrt(u); }, [=] { return 3_c * u; });
  constexpr auto slope = gradient(where(y > 0_c, y, 0_c), x);
  constexpr auto bend = gradient(slope, x);
  session s(slope, bend);
  const xt::xtensor<double, 1> at{0, 1, 16};
  check(s.run(slope, x = at, p = 1.0), {0, 0.25, 1.0 / 32}, "the first branch");
  check(s.run(slope, x = at, p = -1.0), {0, 1.5, 0.375}, "the second branch");
  check(s.run(bend, x = at, p = 1.0), {0, -0.1875, -0.1875 / 128}, "the first branch, twice");
  constexpr auto z = cond(p > 0_c, [=] { return where(u > 0_c, etch::log(u), 0_c); }, [=] { return u * u; });
  session t(gradient(z, x));
  check(t.run(gradient(z, x), x = at, p = 1.0), {0, 0.5, 1.0 / 32}, "where in a branch");
}

TEST_CASE("AG-03: what is computed again, behind where and before it") {
  constexpr auto y = recompute([](auto v) { return etch::sqrt(v); }, etch::sqrt(x));
  constexpr auto slope = gradient(where(y > 0_c, y, 0_c), x);
  constexpr auto z = recompute([](auto v) { return where(v > 0_c, etch::log(v), 0_c); }, etch::sqrt(x));
  session s(slope, gradient(z, x));
  const xt::xtensor<double, 1> at{0, 1, 16};
  check(s.run(slope, x = at), {0, 0.25, 1.0 / 32}, "behind where");
  check(s.run(gradient(z, x), x = at), {0, 0.5, 1.0 / 32}, "before it");
}

TEST_CASE("AG-03: the outputs of a scan behind where, and where in its steps") {
  // s + sqrt(v) of each v = sqrt(x), as outputs: where v is 0 they are not taken. The last element is in its own only: x^-3/4 / 4.
  constexpr auto v = etch::sqrt(x);
  constexpr auto outputs = std::get<1>(scan([](auto s, auto e) { return std::pair{s, etch::sqrt(e)}; }, p, v));
  constexpr auto slope = gradient(where(outputs > 0_c, outputs, 0_c), x);
  constexpr auto states =
      std::get<0>(scan([](auto s, auto e) { return std::pair{s + where(e > 0_c, etch::log(e), 0_c), s}; }, p, v));
  constexpr auto summed = gradient(states, x);
  session s(slope, summed);
  const xt::xtensor<double, 1> at{0, 1, 16};
  check(s.run(slope, x = at, p = 0.0), {0, 0.25, 1.0 / 32}, "outputs");
  check(s.run(summed, x = at, p = 0.0), {0, 0.5, 1.0 / 32}, "where in steps");
}

TEST_CASE("AG-03: what where has not taken in any step does not reach what the steps capture") {
  // x is captured as sqrt(x), which is taken in steps where the element is above 1; the slope of sqrt(x) is infinite at 0.
  constexpr placeholder<"steps", double, any<"n">> steps;
  constexpr auto root = etch::sqrt(x);
  constexpr auto summed = scan([=](auto s, auto e) { return s + where(e > 1_c, e * root, 0_c); }, x * 0_c, steps);
  constexpr auto slope = gradient(summed, x);
  constexpr auto counted = for_range<3>([=](auto i, auto s) { return s + where(i > 1_c, root, s); }, x * 0_c);
  constexpr auto never = for_range<3>([=](auto i, auto s) { return s + where(i > 5_c, root, 0_c); }, x);
  session s(slope, gradient(counted, x), gradient(never, x));
  const xt::xtensor<double, 1> at{0, 1, 16};
  check(s.run(slope, x = at, steps = xt::xtensor<double, 1>{0.5, 1}), {0, 0, 0}, "in none");
  check(s.run(slope, x = xt::xtensor<double, 1>{4, 1, 16}, steps = xt::xtensor<double, 1>{0.5, 2, 3}), {1.25, 2.5, 0.625},
        "in two");
  check(s.run(gradient(never, x), x = at), {1, 1, 1}, "in none of three");
  check(s.run(gradient(counted, x), x = xt::xtensor<double, 1>{1, 4, 16}), {0.5, 0.25, 0.125}, "in the last");
}

TEST_CASE("AG-03: what where has not taken in any step does not reach a matrix that the steps multiply with") {
  constexpr placeholder<"m", double, 2, 2> m;
  constexpr placeholder<"rows", double, any<"n">, 1, 2> rows;
  constexpr auto root = etch::sqrt(m);
  constexpr auto summed = scan([=](auto s, auto row) { return s + where(sum(row) > 1_c, sum(matmul(row, root)), 0_c); }, p, rows);
  constexpr auto slope = gradient(summed, m);
  session s(slope);
  const xt::xtensor<double, 2> at{{0, 1}, {4, 16}}, positive{{1, 1}, {4, 16}};
  const xt::xtensor<double, 3> small{{{0.25, 0.5}}, {{0, 0}}}, larger{{{0.25, 0.5}}, {{1, 2}}, {{3, 4}}};
  laws::check_described(laws::described(s.run(slope, m = at, p = 0.0, rows = small)), {{2, 2}, {0, 0, 0, 0}}, 0, "in none");
  laws::check_described(laws::described(s.run(slope, m = positive, p = 0.0, rows = larger)), {{2, 2}, {2, 2, 1.5, 0.75}}, 1e-13,
                        "in two");
}
