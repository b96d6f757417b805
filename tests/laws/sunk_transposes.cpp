// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

// Transposed elementwise values, beside loops: where one kernel reads what they are made of along other axes, and where none does.

namespace {

using namespace etch;
using namespace etch::literals;

constexpr std::size_t n = 37, m = 50, colours = 3;
constexpr placeholder<"x", float, 37, 50, 3> x;
constexpr placeholder<"y", float, 37, 50, 3> y;
constexpr placeholder<"pixels", std::uint8_t, 37, 50, 3> pixels;
constexpr placeholder<"colour", float, 3> colour;
constexpr placeholder<"row", float, 50, 1> row;
constexpr placeholder<"one", float> one;
constexpr placeholder<"w", float, 50, 4> w;

template <class T>
xt::xtensor<T, 3> numbers(int step) {
  xt::xtensor<T, 3> v = xt::zeros<T>({n, m, colours});
  for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<T>(i * static_cast<std::size_t>(step) % 253);
  return v;
}
const auto xs = numbers<float>(7919), ys = numbers<float>(104729);
const auto bytes = numbers<std::uint8_t>(7919);
const xt::xtensor<float, 1> colours_of = {2, 4, 8};
const xt::xtensor<float, 2> rows_of = xt::ones<float>({m, std::size_t{1}}) * 3.f;

/// f(i, j, k) is element (k, i, j) of the result.
template <class A, class F>
void check_planes(const A& planes, const F& f) {
  REQUIRE(planes.shape()[0] == colours);
  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < colours; ++k) wrong += planes(k, i, j) == f(i, j, k) ? 0 : 1;
  CHECK(wrong == 0);
}
constexpr auto planes = [](auto v) { return transpose(v, axis<2, 0, 1>); };

}  // namespace

TEST_CASE("a transposed elementwise value of one array is one kernel") {
  constexpr auto normalised = planes((astype<float>(pixels) / 256_c - colour) * one);
  static_assert(plan_of(normalised, pixels, colour, one).kernel_count == 1);
  etch::session s(normalised);
  const auto f = [&](auto i, auto j, auto k) { return (static_cast<float>(bytes(i, j, k)) / 256 - colours_of(k)) * 2; };
  check_planes(s.run(normalised, pixels = bytes, colour = colours_of, one = 2.f), f);
  thread_pool pool(3);
  s.set_executor(&pool);
  check_planes(s.run(normalised, pixels = bytes, colour = colours_of, one = 2.f), f);
}

TEST_CASE("operands that are smaller, the same one twice, conditions, and a use behind it") {
  constexpr auto shifted = planes(x * x - row) + 1_c;
  constexpr auto chosen = planes(where(x > 100_c, x, colour));
  constexpr auto is_large = planes(x + colour > 100_c);
  constexpr auto of_constants = planes(x * 2_c + ones<float>(shape<3>{}) * 4_c);
  etch::session s(shifted, chosen, is_large, of_constants);
  static_assert(plan_of(shifted, x, row).kernel_count == 1);
  check_planes(s.run(shifted, x = xs, row = rows_of), [&](auto i, auto j, auto k) { return xs(i, j, k) * xs(i, j, k) - 3 + 1; });
  check_planes(s.run(chosen, x = xs, colour = colours_of),
               [&](auto i, auto j, auto k) { return xs(i, j, k) > 100 ? xs(i, j, k) : colours_of(k); });
  check_planes(s.run(is_large, x = xs, colour = colours_of),
               [&](auto i, auto j, auto k) { return xs(i, j, k) + colours_of(k) > 100; });
  check_planes(s.run(of_constants, x = xs), [&](auto i, auto j, auto k) { return xs(i, j, k) * 2 + 4; });
}

TEST_CASE("several arrays, values that others need, and products") {
  constexpr auto both = x + y;
  constexpr auto of_two = planes(both);
  constexpr auto shared = etch::exp(x * 0.01_c);
  constexpr auto of_shared = planes(shared);
  constexpr auto multiplied = matmul(transpose(slice(x, section<>, section<>, section<0, 1>), axis<2, 0, 1>) * 2_c, w);
  etch::session s(of_two, shared, of_shared, multiplied);
  check_planes(s.run(of_two, x = xs, y = ys), [&](auto i, auto j, auto k) { return xs(i, j, k) + ys(i, j, k); });
  const auto [e, t] = s.run(shared, of_shared, x = xs);
  check_planes(t, [&, &values = e](auto i, auto j, auto k) { return values(i, j, k); });
  xt::xtensor<float, 2> ws = xt::ones<float>({m, std::size_t{4}});
  const auto p = s.run(multiplied, x = xs, w = ws);
  for (std::size_t i = 0; i < n; ++i) {
    float expected = 0;
    for (std::size_t j = 0; j < m; ++j) expected += 2 * xs(i, j, 0);
    for (std::size_t k = 0; k < 4; ++k) CHECK(p(0, i, k) == expected);
  }
}

TEST_CASE("gradients through it, and a variable that is assigned") {
  constexpr auto loss = sum(planes(x * x * colour) * planes(y));
  constexpr auto slope = gradient(loss, x);
  etch::session s(slope);
  const auto g = s.run(slope, x = xs, y = ys, colour = colours_of);
  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < colours; ++k)
        wrong += g(i, j, k) == doctest::Approx(2 * xs(i, j, k) * colours_of(k) * ys(i, j, k)) ? 0 : 1;
  CHECK(wrong == 0);

  constexpr auto matrix_of = variable<"square">(zeros<float>(shape<40, 40>{}));
  constexpr auto turned = group(assign(matrix_of, transpose(matrix_of + 1_c)));
  etch::session v(turned);
  xt::xtensor<float, 2> start = xt::zeros<float>({40, 40});
  for (std::size_t i = 0; i < start.size(); ++i) start.data()[i] = static_cast<float>(i);
  v.set(matrix_of, start);
  v.run(turned);
  const auto got = v.get(matrix_of);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 40; ++j) CHECK(got(i, j) == start(j, i) + 1);
}
