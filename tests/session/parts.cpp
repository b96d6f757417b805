// SPDX-License-Identifier: MIT
#include <vector>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include "reference/run.hpp"

/// Assignments to parts of variables: the slice's elements change and no other, in every backend and way to run.
namespace etch {
namespace {

using namespace etch::literals;

/// 0, 1, 4, 9, ... as T, which no two neighbours of a stencil add up to alike.
template <class T, std::size_t Rank>
xt::xtensor<T, Rank> squares(std::array<std::size_t, Rank> shape) {
  xt::xtensor<T, Rank> x(shape);
  T i = 0;
  for (T& e : x) e = static_cast<T>(i * i), i = static_cast<T>(i + 1);
  return x;
}

/// The variable after one run, after three of a bound step, and as the reference backend has it after one.
template <class T, std::size_t Rank, class V, class Step>
void check(V v, Step step, const xt::xtensor<T, Rank>& begin, const xt::xtensor<T, Rank>& once,
           const xt::xtensor<T, Rank>& thrice) {
  session s(group(step), v);
  s.initialize();
  s.set(v, begin);
  s.run(group(step));
  CHECK(s.get(v) == once);
  s.set(v, begin);
  auto bound = s.bind(group(step));
  for (int i = 0; i < 3; ++i) bound();
  CHECK(s.get(v) == thrice);
  CHECK(reference::run(step, v = begin) == once);
  // What an assignment gives is the variable's new value.
  session fetching(step, v);
  fetching.initialize();
  fetching.set(v, begin);
  CHECK(fetching.run(step) == once);
  CHECK(fetching.get(v) == once);
}

/// Rows x columns, each inner element replaced by x[i - 1][j] + 2 x[i + 1][j] + 3 x[i][j - 1] - x[i][j + 1] - x[i][j].
template <class T, std::size_t Rows, std::size_t Columns>
void stencil() {
  constexpr auto u = variable<"u">(zeros<T>(shape<static_cast<int>(Rows), static_cast<int>(Columns)>{}), not_trainable);
  constexpr auto at = slice(u, section<1, -1>, section<1, -1>);
  constexpr auto y = slice(u, section<0, -2>, section<1, -1>) + 2_c * slice(u, section<2>, section<1, -1>) +
                     3_c * slice(u, section<1, -1>, section<0, -2>) - slice(u, section<1, -1>, section<2>) - at;
  constexpr auto step = assign(at, y);
  constexpr auto plan = plan_of(group(step));
  CHECK(plan.kernel_count == 1);
  const auto begin = squares<T, 2>({Rows, Columns});
  const auto next = [](const xt::xtensor<T, 2>& x) {
    xt::xtensor<T, 2> r = x;
    for (std::size_t i = 1; i + 1 < Rows; ++i)
      for (std::size_t j = 1; j + 1 < Columns; ++j)
        r(i, j) = static_cast<T>(x(i - 1, j) + 2 * x(i + 1, j) + 3 * x(i, j - 1) - x(i, j + 1) - x(i, j));
    return r;
  };
  check<T, 2>(u, step, begin, next(begin), next(next(next(begin))));
}

TEST_CASE("VAR-03: a stencil over a variable is one kernel that writes it in place") {
  stencil<double, 5, 6>();
  stencil<double, 37, 64>();
  stencil<float, 4, 131>();
  stencil<std::int32_t, 40, 34>();
  stencil<std::int64_t, 9, 35>();
}

TEST_CASE("VAR-03: a stencil that reaches rows far behind, in three axes") {
  constexpr auto u = variable<"u">(zeros<double>(shape<9, 5, 7>{}), not_trainable);
  constexpr auto at = slice(u, section<4>, section<1, -1>, section<2>);
  constexpr auto step = assign(
      at, slice(u, section<0, 5>, section<0, -2>, section<1, -1>) + slice(u, section<3, -1>, section<2>, section<0, -2>) - at);
  static_assert(plan_of(group(step)).kernel_count == 1);
  const auto begin = squares<double, 3>({9, 5, 7});
  const auto next = [](const xt::xtensor<double, 3>& x) {
    xt::xtensor<double, 3> r = x;
    for (std::size_t i = 4; i < 9; ++i)
      for (std::size_t j = 1; j < 4; ++j)
        for (std::size_t k = 2; k < 7; ++k) r(i, j, k) = x(i - 4, j - 1, k - 1) + x(i - 1, j + 1, k - 2) - x(i, j, k);
    return r;
  };
  check<double, 3>(u, step, begin, next(begin), next(next(next(begin))));
}

TEST_CASE("VAR-03: parts with steps, backwards, of one axis, of one element") {
  constexpr auto v = variable<"v">(zeros<float>(shape<8>{}), not_trainable);
  const xt::xtensor<float, 1> begin = {1, 2, 3, 4, 5, 6, 7, 8};
  check<float, 1>(v, assign(slice(v, section<0, to_end, 2>), 0_c), begin, {0, 2, 0, 4, 0, 6, 0, 8}, {0, 2, 0, 4, 0, 6, 0, 8});
  check<float, 1>(v, assign(slice(v, section<2, 5>), slice(v, section<0, 3>)), begin, {1, 2, 1, 2, 3, 6, 7, 8},
                  {1, 2, 1, 2, 1, 6, 7, 8});
  check<float, 1>(v, assign(slice(v, section<0, 4>), slice(v, section<3, 7>)), begin, {4, 5, 6, 7, 5, 6, 7, 8},
                  {7, 5, 6, 7, 5, 6, 7, 8});
  check<float, 1>(v, assign(slice(v, section<-1, 3, -1>), slice(v, section<0, 4>) * 10_c), begin, {1, 2, 3, 4, 40, 30, 20, 10},
                  {1, 2, 3, 4, 40, 30, 20, 10});
  check<float, 1>(v, assign_add(slice(v, section<6, 7>), 1_c), begin, {1, 2, 3, 4, 5, 6, 8, 8}, {1, 2, 3, 4, 5, 6, 10, 8});
  check<float, 1>(v, assign_sub(slice(v, section<1, -1>), slice(v, section<2>)), begin, {1, -1, -1, -1, -1, -1, -1, 8},
                  {1, 0, 0, 0, 0, 9, -17, 8});
  check<float, 1>(v, assign(slice(v, section<>), 2_c * v), begin, {2, 4, 6, 8, 10, 12, 14, 16}, {8, 16, 24, 32, 40, 48, 56, 64});
}

TEST_CASE("VAR-03: a part of a part of what is computed: sums, products, what is fed, bools") {
  constexpr auto m = variable<"m">(zeros<double>(shape<3, 4>{}), not_trainable);
  const xt::xtensor<double, 2> begin = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  check<double, 2>(m, assign(slice(m, section<>, section<0, 1>), sum(m, axis<1>, keep_dims)), begin,
                   {{10, 2, 3, 4}, {26, 6, 7, 8}, {42, 10, 11, 12}}, {{28, 2, 3, 4}, {68, 6, 7, 8}, {108, 10, 11, 12}});
  constexpr auto square = slice(m, section<>, section<0, 3>);
  check<double, 2>(m, assign(square, matmul(square, square)), {{1, 1, 0, 5}, {0, 1, 0, 6}, {0, 0, 2, 7}},
                   {{1, 2, 0, 5}, {0, 1, 0, 6}, {0, 0, 4, 7}}, {{1, 8, 0, 5}, {0, 1, 0, 6}, {0, 0, 256, 7}});
  constexpr auto bits = variable<"bits">(full<bool>(shape<5>{}, 0_c), not_trainable);
  check<bool, 1>(bits, assign(slice(bits, section<1, 4>), slice(bits, section<0, 3>)), {true, false, false, true, false},
                 {true, true, false, false, false}, {true, true, true, true, false});

  constexpr placeholder<"row", double, any<"n">, 4> row;
  constexpr auto step = group(assign(slice(m, section<1, 2>), sum(row, axis<0>, keep_dims)));
  session s(step, m);
  s.initialize();
  s.run(step, row = {{1, 2, 3, 4}, {10, 20, 30, 40}});
  CHECK(s.get(m) == xt::xtensor<double, 2>{{0, 0, 0, 0}, {11, 22, 33, 44}, {0, 0, 0, 0}});
}

TEST_CASE("VAR-03: reads beside the assignment of a part give the value before, reads after it the new one") {
  constexpr auto v = variable<"v">(zeros<float>(shape<4>{}), not_trainable);
  constexpr auto first = assign(slice(v, section<0, 2>), 10_c * slice(v, section<2>));
  constexpr auto old = v + 0.5_c;
  constexpr auto now = after(v, first) * 2_c;
  session s(first, old, now, v);
  s.initialize();
  s.set(v, {1, 2, 3, 4});
  const auto [before, then] = s.run(old, now);
  CHECK(before == xt::xtensor<float, 1>{1.5, 2.5, 3.5, 4.5});
  CHECK(then == xt::xtensor<float, 1>{60, 80, 6, 8});
  CHECK(s.get(v) == xt::xtensor<float, 1>{30, 40, 3, 4});
  CHECK(reference::run(now, v = xt::xtensor<float, 1>{1, 2, 3, 4}) == xt::xtensor<float, 1>{60, 80, 6, 8});
}

TEST_CASE("VAR-03: two parts of a variable, one after the other, which is made of what the first leaves") {
  constexpr auto v = variable<"v">(zeros<float>(shape<6>{}), not_trainable);
  constexpr auto first = assign(slice(v, section<0, 3>), slice(v, section<3>) + 1_c);
  constexpr auto second = assign(slice(v, section<2>), after(slice(v, section<0, 4>) * 2_c, first));
  check<float, 1>(v, second, {1, 2, 3, 4, 5, 6}, {5, 6, 10, 12, 14, 8}, {31, 19, 62, 38, 50, 60});
}

TEST_CASE("VAR-03: a value that a variable has until a part of it is assigned, and another one keeps") {
  constexpr placeholder<"x", float, 4> x;
  constexpr auto v = variable<"v">(zeros<float>(shape<4>{}), not_trainable);
  constexpr auto u = variable<"u">(zeros<float>(shape<4>{}), not_trainable);
  constexpr auto value = x * 2_c;
  constexpr auto first = assign(v, value);
  constexpr auto second = after(assign(slice(v, section<0, 2>), -slice(x, section<2>)), first);
  constexpr auto third = assign(v, after(value, second));
  const xt::xtensor<float, 1> vx{1, 2, 3, 4}, twice{2, 4, 6, 8};
  const auto check_both = [&](auto step, const xt::xtensor<float, 1>& expected_v) {
    session s(step);
    s.initialize();
    s.run(step, x = vx);
    CHECK(s.get(v) == expected_v);
    CHECK(s.get(u) == twice);
  };
  check_both(group(second, assign(u, value)), {-3, -4, 6, 8});
  check_both(group(assign(u, value), second), {-3, -4, 6, 8});
  check_both(group(third, assign(u, value)), twice);
}

TEST_CASE("VAR-03: two variables that are made of each other's parts") {
  constexpr auto a = variable<"a">(zeros<double>(shape<6, 20>{}), not_trainable);
  constexpr auto b = variable<"b">(zeros<double>(shape<6, 20>{}), not_trainable);
  constexpr auto inner = [](auto x) { return slice(x, section<1, -1>, section<1, -1>); };
  constexpr auto above = [](auto x) { return slice(x, section<0, -2>, section<1, -1>); };
  constexpr auto change = above(a) - inner(b);
  constexpr auto step = group(assign(inner(a), inner(a) + change * above(b)), assign(inner(b), above(b) - change));
  session s(step, a, b);
  s.initialize();
  xt::xtensor<double, 2> x = squares<double, 2>({6, 20}), y = x;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 20; ++j) y(i, j) = static_cast<double>(i) - 0.25 * static_cast<double>(j);
  s.set(a, x);
  s.set(b, y);
  auto bound = s.bind(step);
  for (int k = 0; k < 2; ++k) {
    bound();
    const xt::xtensor<double, 2> p = x, q = y;
    for (std::size_t i = 1; i < 5; ++i)
      for (std::size_t j = 1; j < 19; ++j) {
        const double d = p(i - 1, j) - q(i, j);
        x(i, j) = p(i, j) + d * q(i - 1, j);
        y(i, j) = q(i - 1, j) - d;
      }
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 20; ++j) {
        CHECK(s.get(a)(i, j) == doctest::Approx(x(i, j)).epsilon(1e-13));
        CHECK(s.get(b)(i, j) == doctest::Approx(y(i, j)).epsilon(1e-13));
      }
  }
}

TEST_CASE("VAR-03: a part of what was assigned before in the run, read from another place than it is written to") {
  constexpr placeholder<"x", std::int32_t, 40> x;
  constexpr auto v = variable<"v">(zeros<std::int32_t>(shape<40>{}), not_trainable);
  constexpr auto before = assign(v, x + 3_c);
  constexpr auto shifted = assign(slice(v, section<1, 40>), after(slice(v, section<0, 39>), before) * 2_c);
  constexpr auto in_place = assign(slice(v, section<1, 40>), after(slice(v, section<1, 40>), before) * 2_c);
  // What is read where it is written needs no memory between.
  static_assert(plan_of(group(in_place), x).kernel_count == 2);
  const auto vx = squares<std::int32_t, 1>({40});
  session s(shifted, in_place, v);
  s.initialize();
  for (int i = 0; i < 2; ++i) {
    s.run(group(shifted), x = vx);
    CHECK(s.get(v)(0) == vx(0) + 3);
    for (std::size_t j = 1; j < 40; ++j) CHECK(s.get(v)(j) == 2 * (vx(j - 1) + 3));
    s.run(group(in_place), x = vx);
    for (std::size_t j = 1; j < 40; ++j) CHECK(s.get(v)(j) == 2 * (vx(j) + 3));
  }
}

}  // namespace
}  // namespace etch
