// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

// A variable that is assigned whole, and then in part from what it has become, in one run. Expected values are by loops.

namespace {

using namespace etch;
using namespace etch::literals;

template <std::size_t N>
xt::xtensor<double, N> some(const std::array<std::size_t, N>& shape, int factor) {
  xt::xtensor<double, N> x(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(static_cast<int>(i) * factor % 23 - 11);
  return x;
}

/// Runs `step` alone and by a pool of three; the variable is `wanted` behind it.
template <class Step, class W, class... Feeds>
void check(const Step& step, const W& w, const xt::xtensor<double, 2>& begin, const xt::xtensor<double, 2>& wanted,
           Feeds... feeds) {
  thread_pool three(3);
  for (executor* threads : {static_cast<executor*>(nullptr), static_cast<executor*>(&three)}) {
    session s(step, w);
    s.set_executor(threads);
    s.initialize();
    s.set(w, begin);
    s.run(step, feeds...);
    CHECK(s.get(w) == wanted);
  }
}

constexpr auto w = variable<"w">(zeros<double>(shape<40, 33>{}), not_trainable);
constexpr placeholder<"x", double, 40, 33> x;
constexpr std::size_t rows = 40, columns = 33;

/// Each row but the first becomes the one above it, and 1.
xt::xtensor<double, 2> moved_down(const xt::xtensor<double, 2>& u) {
  xt::xtensor<double, 2> r = u;
  for (std::size_t i = 1; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) r(i, j) = u(i - 1, j) + 1;
  return r;
}
template <class Whole>
constexpr auto moving(Whole) {
  const auto u = after(w, Whole{});
  return group(assign(slice(w, section<1>), slice(u, section<0, -1>) + 1_c));
}

}  // namespace

TEST_CASE("VAR-03: rows that move behind an assignment of all") {
  const xt::xtensor<double, 2> begin = some<2>({rows, columns}, 7), fed = some<2>({rows, columns}, 5);
  check(moving(assign(w, x * 2_c)), w, begin, moved_down(fed * 2), x = fed);
  check(moving(assign(w, w * w)), w, begin, moved_down(begin * begin));
  check(moving(assign_add(w, 1_c)), w, begin, moved_down(begin + 1));
}

TEST_CASE("VAR-03: a stencil behind a product, a cumulative sum and a sum of rows that all of a variable is assigned") {
  constexpr placeholder<"a", double, 40, 5> a;
  constexpr placeholder<"b", double, 5, 33> b;
  const auto stencil = [](auto whole) {
    const auto u = after(w, whole);
    constexpr auto middle = section<1, -1>;
    const auto beside = slice(u, section<0, -2>, middle) + slice(u, section<2>, middle) + slice(u, middle, section<0, -2>);
    return group(assign(slice(w, middle, middle), beside));
  };
  const auto expected = [](const xt::xtensor<double, 2>& u) {
    xt::xtensor<double, 2> r = u;
    for (std::size_t i = 1; i + 1 < rows; ++i)
      for (std::size_t j = 1; j + 1 < columns; ++j) r(i, j) = u(i - 1, j) + u(i + 1, j) + u(i, j - 1);
    return r;
  };
  const xt::xtensor<double, 2> begin = some<2>({rows, columns}, 3), left = some<2>({rows, 5}, 7), right = some<2>({5, columns}, 5);
  const xt::xtensor<double, 2> fed = some<2>({rows, columns}, 9);
  xt::xtensor<double, 2> products = xt::zeros<double>({rows, columns}), downwards = fed, of_rows = products;
  for (std::size_t i = 0; i < rows; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = 0; k < 5; ++k) products(i, j) += left(i, k) * right(k, j);
      if (i > 0) downwards(i, j) += downwards(i - 1, j);
      total += fed(i, j);
    }
    for (std::size_t j = 0; j < columns; ++j) of_rows(i, j) = total;
  }
  check(stencil(assign(w, matmul(a, b))), w, begin, expected(products), a = left, b = right);
  check(stencil(assign(w, cumsum(x, axis<0>))), w, begin, expected(downwards), x = fed);
  check(stencil(assign(w, broadcast_to(sum(x, axis<1>, keep_dims), shape<40, 33>{}))), w, begin, expected(of_rows), x = fed);
}

TEST_CASE("VAR-02: a variable of which a part is assigned needs a value") {
  constexpr auto v = variable<"v">(zeros<float>(shape<6>{}), not_trainable);
  constexpr auto part = group(assign(slice(v, section<0, 2>), 1_c));
  constexpr auto halves = group(assign(v, concat(axis<0>, zeros<float>(shape<3>{}), ones<float>(shape<3>{}))));
  session s(part, halves, v);
  CHECK_THROWS_WITH_AS(s.run(part), doctest::Contains("has no value"), error);
  CHECK_THROWS_WITH_AS(s.run(v), doctest::Contains("has no value"), error);
  session t(part, slice(v, section<4, 6>) * 2_c);
  CHECK_THROWS_WITH_AS(t.run(part, slice(v, section<4, 6>) * 2_c), doctest::Contains("has no value"), error);
  s.run(halves);  // all of it is assigned
  s.run(part);
  CHECK(s.get(v) == xt::xtensor<float, 1>{1, 1, 0, 1, 1, 1});
}
