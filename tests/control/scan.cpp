// SPDX-License-Identifier: MIT
#include <cmath>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include "reference/run.hpp"

/// Loops in graphs against loops in C++.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"n">> x;
constexpr placeholder<"rows", double, 4, 3> rows;
constexpr placeholder<"start", double, 3> start;
constexpr placeholder<"w", double, 3, 3> w;

std::vector<float> numbers(int n) {
  std::vector<float> v;
  for (int i = 0; i < n; ++i) v.push_back(static_cast<float>((i * 7) % 11) / 8.f - 0.5f);
  return v;
}

/// A filter of one pole, and the state before each step.
constexpr auto filtered = scan([](auto s, auto v) { return std::pair{0.5_c * s + v, std::tuple{s, v * v}}; }, literal<1.f>, x);
constexpr auto last = std::get<0>(filtered);
constexpr auto before = std::get<0>(std::get<1>(filtered));
constexpr auto squares = std::get<1>(std::get<1>(filtered));

}  // namespace

TEST_CASE("AG-03: a scan gives the last state and what each step gave, for every length") {
  session s(last, before, squares);
  for (const int n : {0, 1, 2, 3, 8, 33, 1000}) {
    CAPTURE(n);
    const std::vector<float> in = numbers(n);
    const auto [end, states, outputs] = s.run(last, before, squares, x = in);
    const auto [reference_end, reference_states, reference_outputs] = reference::run(last, before, squares, x = in);
    float state = 1;
    REQUIRE(states.size() == in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      CHECK(states[i] == state);
      CHECK(outputs[i] == in[i] * in[i]);
      state = 0.5f * state + in[i];
    }
    CHECK(end == state);
    CHECK(reference_end == state);
    CHECK(reference_states == states);
    CHECK(reference_outputs == outputs);
  }
}

TEST_CASE("AG-03: from the last element on, outputs stand where their elements stand") {
  constexpr auto r = scan([](auto s, auto v) { return std::pair{s + v, s}; }, literal<0.f>, x, reverse);
  session s(std::get<0>(r), std::get<1>(r));
  const auto [sum_of_all, rest] = s.run(std::get<0>(r), std::get<1>(r), x = {1, 2, 3, 4});
  CHECK(sum_of_all == 10);
  CHECK(rest == xt::xtensor<float, 1>{9, 7, 4, 0});
}

TEST_CASE("AG-03: states and sequences are several, of several dtypes, with several axes") {
  constexpr auto counted = arange<std::int32_t>(shape<4>{});
  constexpr auto r = scan(
      [](auto state, auto row, auto i) {
        auto [h, count, any_large] = state;
        auto next = etch::tanh(matmul(h, w) + row);
        return std::pair{std::tuple{next, count + i, any_large || reduce_any(row > 1_c)}, std::tuple{next * 2_c, i * i}};
      },
      std::tuple{start, literal<0>, literal<false>}, rows, counted);
  constexpr auto states = std::get<0>(r);
  constexpr auto outputs = std::get<1>(r);
  const xt::xtensor<double, 2> a = {{0.1, 0.2, 0.3}, {-1, 0.5, 0.25}, {0.3, 1.5, -0.7}, {0, -0.2, 0.9}};
  const xt::xtensor<double, 2> m = {{0.5, -0.25, 0.1}, {0.3, 0.2, -0.6}, {-0.1, 0.4, 0.8}};
  xt::xtensor<double, 1> h = {0.4, -0.3, 0.2};
  session s(std::get<0>(states), std::get<1>(states), std::get<2>(states), std::get<0>(outputs), std::get<1>(outputs));
  const auto [end, count, large, doubled, squared] = s.run(std::get<0>(states), std::get<1>(states), std::get<2>(states),
                                                           std::get<0>(outputs), std::get<1>(outputs), rows = a, w = m, start = h);
  for (std::size_t t = 0; t < 4; ++t) {
    xt::xtensor<double, 1> next = {0, 0, 0};
    for (std::size_t j = 0; j < 3; ++j) {
      double total = a(t, j);
      for (std::size_t i = 0; i < 3; ++i) total += h(i) * m(i, j);
      next(j) = std::tanh(total);
      CHECK(doubled(t, j) == doctest::Approx(2 * next(j)));
    }
    h = next;
    CHECK(squared(t) == static_cast<int>(t * t));
  }
  for (std::size_t j = 0; j < 3; ++j) CHECK(end(j) == doctest::Approx(h(j)));
  CHECK(count == 6);
  CHECK(large);
}

TEST_CASE("AG-03: a step costs the compiler as much in a loop of 3 steps as in one of 30,000") {
  constexpr auto few = for_range<3>([](auto i, auto s) { return s + astype<float>(i); }, literal<0.f>);
  constexpr auto many = for_range<30000>([](auto i, auto s) { return s + astype<float>(i); }, literal<0.f>);
  using few_plan = decltype(plan_of(few))::plan_type;
  using many_plan = decltype(plan_of(many))::plan_type;
  static_assert(few_plan::size.steps == many_plan::size.steps);
  static_assert(few_plan::part<0, 0>::size.steps == many_plan::part<0, 0>::size.steps);
  session s(few, many);
  CHECK(s.run(few) == 3);
  float total = 0;
  for (int i = 0; i < 30000; ++i) total += static_cast<float>(i);
  CHECK(s.run(many) == total);
}

TEST_CASE("AG-03: what no step changes is computed once, before the loop") {
  constexpr auto r = scan([](auto s, auto v) { return s + v * sum(etch::tanh(matmul(w, w))); }, literal<0.>, astype<double>(x));
  using plan = decltype(plan_of(r, x, w))::plan_type;
  // The product, tanh and sum: one step outside, and one that adds in the loop.
  static_assert(plan::part<0, 0>::size.steps == 1);
  session s(r);
  const xt::xtensor<double, 2> m = {{0.5, -0.25, 0.1}, {0.3, 0.2, -0.6}, {-0.1, 0.4, 0.8}};
  CHECK(s.run(r, x = {1, 2, 4}, w = m) == doctest::Approx(reference::run(r, x = {1, 2, 4}, w = m)));
}

TEST_CASE("AG-03: loops in loops, with what the outer one changes") {
  constexpr auto r = scan(
      [](auto s, auto a) {
        // The same dtypes and shapes inside and outside: a parameter of one must not be taken for one of the other.
        auto inner = scan([=](auto t, auto b) { return t * 0.5_c + b * s - a; }, a, x);
        return std::pair{s + inner, inner};
      },
      literal<1.f>, x);
  session s(std::get<0>(r), std::get<1>(r));
  const std::vector<float> in = numbers(9);
  const auto [end, inners] = s.run(std::get<0>(r), std::get<1>(r), x = in);
  float state = 1;
  for (std::size_t i = 0; i < in.size(); ++i) {
    float t = in[i];
    for (const float b : in) t = t * 0.5f + b * state - in[i];
    CHECK(inners(i) == doctest::Approx(t));
    state += t;
  }
  CHECK(end == doctest::Approx(state));
}

TEST_CASE("AG-03: three loops deep, each capturing all outer ones") {
  constexpr auto r = for_range<3>(
      [](auto i, auto s) {
        return for_range<4>(
            [=](auto j, auto t) {
              return for_range<2>([=](auto k, auto u) { return u * 3_c + i * 100_c + j * 10_c + k + s - t; }, t);
            },
            s);
      },
      astype<std::int64_t>(1_c));
  session s(r);
  std::int64_t a = 1;
  for (std::int64_t i = 0; i < 3; ++i) {
    std::int64_t t = a;
    for (std::int64_t j = 0; j < 4; ++j) {
      std::int64_t u = t;
      for (std::int64_t k = 0; k < 2; ++k) u = u * 3 + i * 100 + j * 10 + k + a - t;
      t = u;
    }
    a = t;
  }
  CHECK(s.run(r) == a);
  CHECK(reference::run(r) == a);
}

TEST_CASE("AG-03: a loop that captures what another loop of the same types gave") {
  constexpr auto first = scan([](auto s, auto v) { return s + v; }, literal<0.f>, x);
  constexpr auto second = scan([=](auto s, auto v) { return s + v * first; }, literal<0.f>, x);
  session s(second);
  CHECK(s.run(second, x = {1, 2, 3}) == 36);
}

TEST_CASE("AG-03: two loops with equal bodies over equal sequences are one loop") {
  constexpr auto body = [](auto s, auto v) { return s * v; };
  constexpr auto twice = scan(body, literal<1.f>, x) + scan(body, literal<1.f>, x);
  using plan = decltype(plan_of(twice, x))::plan_type;
  static_assert(plan::calls == 1);
  session s(twice);
  CHECK(s.run(twice, x = {1, 2, 3}) == 12);
}

TEST_CASE("AG-03: a bound step with a loop can be pointed at other arrays, and allocates nothing") {
  session s(last, before);
  const std::vector<float> a = numbers(50);
  std::vector<float> b = a;
  for (float& v : b) v = -v;
  auto step = s.bind(last, before, x = a);
  const float first = std::get<0>(step());
  const float other = std::get<0>(step(b.data()));
  float state = 1, other_state = 1;
  for (const float v : a) {
    state = 0.5f * state + v;
    other_state = 0.5f * other_state - v;
  }
  CHECK(first == state);
  CHECK(other == other_state);
  CHECK(std::get<0>(step(a.data())) == state);
}
