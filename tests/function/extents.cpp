// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <etch/function.hpp>

/// Extents of a traced function's arguments: any, but for what its ops need.
namespace {

using namespace etch;
using namespace etch::literals;

/// The extents of a slot of an expression's graph.
template <class E>
constexpr bool has_static_shape = E::shape_type::is_static;

}  // namespace

TEST_CASE("one trace for all extents") {
  function f([](auto x) { return sum(x * x, axis<0>); });
  for (int n = 0; n < 40; n += 3)
    for (int m = 0; m < 9; m += 2) {
      tensor<float, 2> x = zeros<float>(shape<1, 1>{});
      x = tensor<float, 2>(xt::xtensor<float, 2>(xt::ones<float>({n, m}) * 2.f));
      const tensor<float, 1> r = f(x);
      REQUIRE(r.shape()[0] == m);
      for (int i = 0; i < m; ++i) REQUIRE(r(i) == 4.f * static_cast<float>(n));
    }
  CHECK(f.trace_count() == 1);
}

TEST_CASE("what meets in an op is equal, and each call is checked") {
  function f([](auto a, auto b, auto c) { return (a + b) * c; });
  using t = tensor<float, 1>;
  CHECK(f(t{1, 2}, t{3, 4}, t{2, 2})(1) == 12.f);
  CHECK_THROWS_WITH_AS(
      f(t{1, 2}, t{3, 4, 5}, t{2, 2}),
      "feed \"argument_1\": axis 0 (\"argument_0.axis_0\"): expected extent 2, which feed \"argument_0\" has given it, "
      "got 3",
      error);
  CHECK_THROWS_WITH_AS(
      f(t{1, 2}, t{3, 4}, t{2}),
      "feed \"argument_2\": axis 0 (\"argument_0.axis_0\"): expected extent 2, which feed \"argument_0\" has given it, "
      "got 1",
      error);
  CHECK(f(t{}, t{}, t{}).size() == 0);
}

TEST_CASE("the extent of what has one is an argument's, as a number") {
  constexpr auto kernel = variable<"kernel">(ones(shape<3, 2>{}));
  function f([=](auto x) { return matmul(x, kernel); });
  using m = tensor<float, 2>;
  static_assert(!has_static_shape<decltype(f.expressions(m{}))>);
  CHECK(f(m{{1, 2, 3}, {4, 5, 6}})(1, 1) == 15.f);
  CHECK_THROWS_WITH_AS(f(m{{1, 2}}), "feed \"argument_0\": axis 1: expected extent 3, got 2", error);
  // Across several ops: x's axis is y's, which is the kernel's.
  function g([=](auto x, auto y) { return matmul(x + y, kernel); });
  CHECK(g(m{{1, 2, 3}}, m{{1, 1, 1}})(0, 0) == 9.f);
  CHECK_THROWS_WITH_AS(g(m{{1, 2}}, m{{1, 1}}), "feed \"argument_0\": axis 1: expected extent 3, got 2", error);
  function all([=](auto x) { return x + ones<float>(shape<2, 3>{}); });
  static_assert(has_static_shape<decltype(all.expressions(m{}))>);
}

TEST_CASE("what is united late is united everywhere") {
  // First sums of both, whose extents meet only behind a product.
  function f([](auto a, auto b) {
    const auto rows = sum(a, axis<1>);
    const auto columns = sum(b, axis<0>);
    return sum(rows * columns) + sum(matmul(a, b));
  });
  using m = tensor<float, 2>;
  // a is 2 x 3, b is 3 x 2.
  CHECK(f(m{{1, 2, 3}, {4, 5, 6}}, m{{1, 0}, {0, 1}, {1, 1}}).item() == (6 * 2 + 15 * 2) + (4 + 5 + 10 + 11));
  CHECK_THROWS_AS(f(m{{1, 2, 3}, {4, 5, 6}}, m{{1, 0}, {0, 1}}), error);
  CHECK_THROWS_AS(f(m{{1, 2, 3}}, m{{1, 0}, {0, 1}, {1, 1}}), error);
}

TEST_CASE("extents made of others: concat, and a gradient through it") {
  function f([](auto a, auto b) {
    const auto all = concat(axis<0>, a, b);
    return std::tuple{all, gradient(sum(all * all), b)};
  });
  const auto [all, db] = f(tensor<float, 1>{1, 2}, tensor<float, 1>{3, 4, 5});
  CHECK(all.shape()[0] == 5);
  CHECK(all(4) == 5.f);
  CHECK(db(2) == 10.f);
}

TEST_CASE("labels and logits of a loss") {
  function f([](auto logits, auto labels) { return mean(nn::sparse_softmax_cross_entropy(logits, labels)); });
  const tensor<float, 2> logits = {{0, 0}, {0, 0}};
  CHECK(f(logits, tensor<std::int32_t, 1>{0, 1}).item() == doctest::Approx(std::log(2.0)));
  CHECK_THROWS_AS(f(logits, tensor<std::int32_t, 1>{0, 1, 1}), error);
}

TEST_CASE("eight arguments of two axes: more names than a graph may have, before they are united") {
  function f([](auto a, auto b, auto c, auto d, auto e, auto g, auto h, auto i) { return a + b + c + d + e + g + h + i; });
  const tensor<float, 2> x = {{1, 2}, {3, 4}};
  CHECK(f(x, x, x, x, x, x, x, x)(1, 1) == 32.f);
}

TEST_CASE("a matrix times itself is square") {
  function f([](auto a) { return matmul(a, a); });
  CHECK(f(tensor<double, 2>{{1, 2}, {3, 4}})(1, 0) == 15.0);
  CHECK_THROWS_WITH_AS(
      f(tensor<double, 2>{{1, 2}}),
      "feed \"argument_0\": axis 1 (\"argument_0.axis_0\"): expected extent 1, which feed \"argument_0\" has given it, "
      "got 2",
      error);
}
