// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

#include <xtensor/xarray.hpp>
#include <xtensor/xview.hpp>

#include <etch/etch.hpp>

using namespace etch::literals;
using etch::any;
using etch::axis;

namespace {
constexpr etch::placeholder<"x", float, 1, 1> x11;
constexpr etch::placeholder<"rows", float, any<"n">, 3> rows;
constexpr etch::placeholder<"other", float, any<"n">, 3> other;
constexpr etch::placeholder<"p", std::int32_t> p;
constexpr etch::placeholder<"q", std::int32_t> q;
using matrix = xt::xtensor<float, 2>;
}  // namespace

TEST_SUITE("session") {
  TEST_CASE("SES-06, SES-07, AT-3: a product of fed matrices is fetched as an array") {
    const auto m = etch::matmul(x11, x11);
    etch::session s(m);
    const matrix r = s.run(m, x11 = {{2.f}});
    CHECK(r(0, 0) == 4.f);
  }

  TEST_CASE("SES-06, AT-H2: scalars are fed and fetched as numbers; several fetches are a tuple in order") {
    const auto sum = p + q;
    const auto difference = p - q;
    etch::session s(sum, difference);
    const auto [a, b] = s.run(sum, difference, p = 2, q = 3);
    static_assert(std::is_same_v<decltype(a), const std::int32_t>);
    CHECK(a == 5);
    CHECK(b == -1);
  }

  TEST_CASE("FEED-01, FEED-04, FEED-05, AT-2: feeding a node that is no placeholder cuts the graph there, for one call") {
    auto a = etch::add(2_c, 5_c);
    const auto b = etch::multiply(a, 3_c);
    etch::session s(b);
    CHECK(s.run(b, a = 15) == 45);
    CHECK(s.run(b) == 21);
  }

  TEST_CASE("FEED-09: fetching what is fed gives it back") {
    auto a = etch::add(2_c, 5_c);
    etch::session s(a);
    CHECK(s.run(a, a = 15) == 15);
  }

  TEST_CASE("FEED-03, SES-08: a placeholder that the fetches do not need is not fed") {
    const auto needed = p + 1_c;
    const auto not_needed = q + 1_c;
    etch::session s(needed, not_needed);
    CHECK(s.run(needed, p = 4) == 5);
    constexpr auto plan = etch::plan_of(p + 1_c, p);
    static_assert(plan.kernel_count == 1);
  }

  TEST_CASE("GRA-06: one graph serves every batch size, also none") {
    const auto y = etch::sum(rows * 2_c, axis<1>);
    etch::session s(y);
    for (std::size_t n : {std::size_t{1}, std::size_t{5}, std::size_t{0}, std::size_t{64}}) {
      const matrix in = xt::ones<float>({n, std::size_t{3}});
      const xt::xtensor<float, 1> r = s.run(y, rows = in);
      REQUIRE(r.size() == n);
      for (float v : r) CHECK(v == 6.f);
    }
  }

  TEST_CASE("FEED-07: of empty braces no axis has elements") {
    constexpr etch::placeholder<"x", float, etch::any<"m">, etch::any<"n">> x;
    constexpr etch::placeholder<"volume", float, etch::any<"l">, etch::any<"m">, etch::any<"n">> volume;
    etch::session s(x * 2_c, etch::sum(x + 1_c, etch::axis<0>), etch::sum(volume, etch::axis<0>));
    CHECK(s.run(x * 2_c, x = {}).shape() == std::array<std::size_t, 2>{0, 0});
    CHECK(s.run(etch::sum(x + 1_c, etch::axis<0>), x = {}).size() == 0);
    CHECK(s.run(etch::sum(volume, etch::axis<0>), volume = {}).shape() == std::array<std::size_t, 2>{0, 0});
  }

  TEST_CASE("FEED-07: containers, views, expressions, spans, vectors, braces and numbers are fed") {
    const auto y = etch::sum(rows);
    etch::session s(y);
    const matrix in = {{1, 2, 3}, {4, 5, 6}};
    CHECK(s.run(y, rows = in) == 21.f);
    CHECK(s.run(y, rows = xt::xarray<float>(in)) == 21.f);
    const matrix wide = {{1, 2, 3, 100}, {4, 5, 6, 100}};
    CHECK(s.run(y, rows = xt::view(wide, xt::all(), xt::range(0, 3))) == 21.f);
    CHECK(s.run(y, rows = 2.f * in) == 42.f);
    const std::vector<float> flat = {1, 2, 3, 4, 5, 6};
    CHECK(s.run(y, rows = flat) == 21.f);
    CHECK(s.run(y, rows = std::span<const float>(flat)) == 21.f);
    CHECK(s.run(y, rows = std::array<float, 6>{1, 2, 3, 4, 5, 6}) == 21.f);
    CHECK(s.run(y, rows = {{1, 2, 3}, {4, 5, 6}}) == 21.f);
    const auto twice = rows * 2_c;
    etch::session cut(etch::sum(twice));
    CHECK(cut.run(etch::sum(twice), twice = {{1, 2, 3}, {4, 5, 6}}) == 21.f);
    const xt::xtensor<float, 2, xt::layout_type::column_major> columns = in;
    const auto first = etch::slice(rows, etch::section<0, 1>);
    etch::session t(first);
    const matrix r = t.run(first, rows = columns);
    CHECK(r(0, 1) == 2.f);
  }

  TEST_CASE("SES-09: a shared subexpression is computed once") {
    const auto e = etch::exp(rows);
    constexpr auto plan = etch::plan_of(etch::sum(etch::exp(rows)), etch::exp(rows), rows);
    static_assert(plan.nodes_after == 3);
    (void)e;
  }

  TEST_CASE("GRA-20: building an expression in a loop cannot grow a graph") {
    etch::session s(p + q);
    for (int i = 0; i < 10; ++i) CHECK(s.run(p + q, p = 10, q = 20) == 30);
    static_assert(std::is_same_v<decltype(p + q), decltype(etch::add(p, q))>);
  }

  TEST_CASE("GRA-19: broadcasting of integers") {
    constexpr etch::placeholder<"a", std::int32_t, 2, 2> a;
    const auto b = etch::add(a, 1_c);
    const auto c = etch::multiply(a, b);
    etch::session s(c);
    const xt::xtensor<std::int32_t, 2> r = s.run(c, a = {{1, 2}, {3, 4}});
    CHECK(r == xt::xtensor<std::int32_t, 2>{{2, 6}, {12, 20}});
  }

  TEST_CASE("bind: the step reads the arrays where they lie, at each call") {
    const auto y = rows + other;
    etch::session s(y);
    matrix a = {{1, 2, 3}}, b = {{10, 20, 30}};
    auto step = s.bind(y, rows = a, other = b);
    CHECK(step()(0, 2) == 33.f);
    a(0, 2) = 100.f;
    CHECK(step()(0, 2) == 130.f);
    static_assert(noexcept(step()));
  }

  TEST_CASE("bind: what temporaries own is copied, what views and spans show is read where it lies") {
    const auto y = etch::sum(rows);
    etch::session s(y);
    matrix a = {{1, 2, 3}};
    std::vector<float> flat = {1, 2, 3};
    auto of_matrix = s.bind(y, rows = matrix{{1, 2, 3}});
    auto of_array = s.bind(y, rows = xt::xarray<float>{{1.f, 2.f, 3.f}});
    auto of_vector = s.bind(y, rows = std::vector<float>{1, 2, 3});
    auto of_braces = s.bind(y, rows = {{1, 2, 3}});
    auto of_view = s.bind(y, rows = xt::view(a, xt::range(0, 1), xt::all()));
    auto of_span = s.bind(y, rows = std::span<const float>(flat));
    // Memory that is free would go to these.
    const matrix other = {{9, 9, 9}};
    const xt::xarray<float> another = {{9.f, 9.f, 9.f}};
    const std::vector<float> more = {9, 9, 9};
    a(0, 0) = flat[0] = 100;
    for (const float value : {of_matrix(), of_array(), of_vector(), of_braces()}) CHECK(value == 6.f);
    for (const float value : {of_view(), of_span()}) CHECK(value == 105.f);
  }

  TEST_CASE("plan figures are constants") {
    constexpr etch::placeholder<"v", float, 64> v;
    constexpr auto plan = etch::plan_of(etch::tanh(v * 2_c + 1_c), v);
    static_assert(plan.kernel_count == 1);
    static_assert(plan.workspace_bytes == 0);
    static_assert(plan.flops == 64 * (1 + 1 + 15));
    constexpr auto named = etch::plan_of(etch::softmax(rows * 2_c), rows);
    static_assert(named.flops(10) == 10 * named.flops(1));
    static_assert(named.kernel_count == 1);
  }

  TEST_CASE("a feed whose elements nobody reads gives extents, and is checked") {
    constexpr auto slope = etch::gradient(etch::mean(rows * 2_c), rows);
    constexpr auto both = etch::gradient(etch::sum(rows + other), rows);
    etch::session s(slope, both);
    const matrix two = xt::ones<float>({2, 3}), four = xt::ones<float>({4, 3});
    CHECK(s.run(slope, rows = two) == two / 3.f);
    CHECK(s.run(slope, rows = four) == four / 6.f);
    auto step = s.bind(slope, rows = two);
    CHECK(step() == two / 3.f);
    CHECK(s.run(both, rows = four, other = four) == four);
    CHECK_THROWS_WITH_AS(s.run(both, rows = four, other = two),
                         "feed \"other\": axis 0 (\"n\"): expected extent 4, which feed \"rows\" has given it, got 2", etch::error);
  }
}
