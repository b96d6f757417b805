// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/function.hpp>
#include <etch/strings.hpp>

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

TEST_CASE("sequences of one loop, values of branches and states are as long as each other") {
  using t = tensor<float, 1>;
  const t a = {1, 2}, b = {3, 4}, three = {1, 2, 3};
  function scanned([](auto xs, auto ys) { return scan([](auto s, auto x, auto y) { return s + x * y; }, 0_c, xs, ys); });
  CHECK(scanned(a, b).item() == 11);
  CHECK_THROWS_WITH_AS(
      scanned(a, three),
      "feed \"argument_1\": axis 0 (\"argument_0.axis_0\"): expected extent 2, which feed \"argument_0\" has given it, got 3",
      error);
  // Of a second sequence of strings, of one whose extent is known, with a gradient.
  function mixed([](auto xs, auto texts) {
    return std::get<1>(scan([](auto s, auto x, auto text) { return std::pair{s + text, x + x}; }, ""_c, xs, texts));
  });
  CHECK(elements_text(mixed(a, tensor<std::string, 1>{"p", "q"})) == "[2. 4.]");
  function known([](auto xs) {
    return scan([](auto s, auto x, auto k) { return s + x * k; }, 0_c, xs, astype<float>(arange<std::int32_t>(shape<3>{})));
  });
  CHECK(known(three).item() == 8);
  CHECK_THROWS_WITH_AS(known(a), "feed \"argument_0\": axis 0: expected extent 3, got 2", error);
  function slope(
      [](auto xs, auto ys) { return gradient(scan([](auto s, auto x, auto y) { return s + x * y * y; }, 0_c, xs, ys), ys); });
  CHECK(elements_text(slope(a, b)) == "[ 6. 16.]");

  function chosen([](auto p, auto x, auto y) { return cond(p, [=] { return x; }, [=] { return y * 2_c; }); });
  CHECK(elements_text(chosen(true, a, b)) == "[1. 2.]");
  CHECK(elements_text(chosen(false, a, b)) == "[6. 8.]");
  CHECK_THROWS_AS(chosen(true, a, three), error);
  function cases(
      [](auto i, auto x, auto y) { return switch_case(i, [=] { return x; }, [=] { return y; }, [=] { return x + y; }); });
  CHECK(elements_text(cases(2, a, b)) == "[4. 6.]");

  function counted([](auto x, auto y) { return for_range<2>([=](auto, auto s) { return y + s * 0_c; }, x); });
  CHECK(elements_text(counted(a, b)) == "[3. 4.]");
  function replaced([](auto x, auto y) { return for_range<2>([=](auto, auto) { return y; }, x); });
  CHECK(elements_text(replaced(a, b)) == "[3. 4.]");
  CHECK_THROWS_AS(replaced(a, three), error);
  function until([](auto x, auto y) { return while_loop([](auto s) { return sum(s) < 10_c; }, [=](auto) { return y * 4_c; }, x); });
  CHECK(elements_text(until(a, b)) == "[12. 16.]");
}

TEST_CASE("what is stacked, and what is assigned to a part, has the extents of the others") {
  using t = tensor<float, 1>;
  function stacked([](auto x, auto y, auto z) { return stack(axis<1>, x, y, z); });
  CHECK(elements_text(stacked(t{1, 2}, t{3, 4}, t{5, 6})) == "[[1. 3. 5.]\n [2. 4. 6.]]");
  CHECK_THROWS_AS(stacked(t{1, 2}, t{3, 4}, t{5}), error);
  constexpr auto w = variable<"w">(zeros<float>(shape<4>{}), not_trainable);
  function inner([=](auto x) { return assign(slice(w, section<1, 3>), x); });
  CHECK(elements_text(inner(t{7, 8})) == "[0. 7. 8. 0.]");
  CHECK_THROWS_AS(inner(t{7, 8, 9}), error);
  CHECK_THROWS_AS(inner(t{7}), error);
}
