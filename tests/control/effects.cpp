// SPDX-License-Identifier: MIT
#include <tuple>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>

/// Assignments in loops and branches: in program order, once for each step that is made, of branches that are taken.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"xs", float, any<"n">> xs;
constexpr placeholder<"p", bool> p;
constexpr auto count = variable<"count">(literal<0>, not_trainable);
constexpr auto total = variable<"total">(literal<0.f>, not_trainable);

}  // namespace

TEST_CASE("AG-06: each step sees what the step before has assigned") {
  constexpr auto r = scan(
      [](auto s, auto x) {
        auto t = assign_add(total, x);
        return std::pair{s + x * t, after(s, assign_add(count, 1_c))};
      },
      literal<0.f>, xs);
  session s(std::get<0>(r), std::get<1>(r));
  s.initialize();
  const auto [end, states] = s.run(std::get<0>(r), std::get<1>(r), xs = {1, 2, 3, 4});
  CHECK(end == 1 * 1 + 2 * 3 + 3 * 6 + 4 * 10);
  CHECK(states == xt::xtensor<float, 1>{0, 1, 7, 25});
  CHECK(s.get(count) == 4);
  CHECK(s.get(total) == 10);
  // What is not asked for does not happen: the outputs count.
  CHECK(s.run(std::get<0>(r), xs = {1, 1}) == 11 + 12);
  CHECK(s.get(total) == 12);
  CHECK(s.run(std::get<0>(r), xs = xt::xtensor<float, 1>::from_shape({0})) == 0);
  CHECK(s.get(total) == 12);
}

TEST_CASE("AG-01, AG-06: a branch that is not taken assigns nothing") {
  constexpr auto r = cond(p, [] { return assign_add(total, 100_c); }, [] { return -total; });
  session s(r, count);
  s.initialize();
  CHECK(s.run(r, p = false) == 0);
  CHECK(s.get(total) == 0);
  CHECK(s.run(r, p = true) == 100);
  CHECK(s.get(total) == 100);
  CHECK(s.run(r, p = false) == -100);
  CHECK(s.get(total) == 100);
  // Who reads behind it sees what it has left.
  constexpr auto then = after(total * 2_c, r);
  CHECK(s.run(then, p = true) == 400);
  CHECK(s.run(then, p = false) == 400);
}

TEST_CASE("AG-06: a condition may count, also the time that ends the loop") {
  constexpr auto r = while_loop([](auto k) { return after(k < 5_c, assign_add(total, 1_c)); },
                                [](auto k) { return after(k + 1_c, assign_add(count, k)); }, literal<0>);
  session s(r, total, count);
  s.initialize();
  CHECK(s.run(r) == 5);
  CHECK(s.get(count) == 0 + 1 + 2 + 3 + 4);
  CHECK(s.get(total) == 6);
}

TEST_CASE("AG-06: loops in loops count all steps") {
  constexpr auto r = for_range<3>(
      [](auto, auto q) { return for_range<2>([](auto, auto z) { return z + assign_add(count, 1_c); }, q); }, literal<0>);
  session s(r, count);
  s.initialize();
  CHECK(s.run(r) == 1 + 2 + 3 + 4 + 5 + 6);
  CHECK(s.get(count) == 6);
}

TEST_CASE("AG-06: gradients pass through what a loop assigns") {
  constexpr auto r = scan([](auto s, auto x) { return s + x * assign_add(total, x); }, literal<0.f>, xs);
  constexpr auto d = gradient(r, xs);
  session s(r, d);
  s.initialize();
  s.set(total, 2.f);
  // x0 (2 + x0) + x1 (2 + x0 + x1)
  const auto [value, slope] = s.run(r, d, xs = {3, 5});
  CHECK(value == 3 * 5 + 5 * 10);
  CHECK(slope == xt::xtensor<float, 1>{2 + 2 * 3 + 5, 2 + 3 + 2 * 5});
  CHECK(s.get(total) == 10);
}
