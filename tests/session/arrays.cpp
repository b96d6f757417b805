// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/etch.hpp>

// Arrays whose size is known at run time only, with what xtensor brings along by etch.hpp alone: no other header of it may be
// included here.

TEST_SUITE("arrays") {
  TEST_CASE("from_shape makes an array of n elements; in braces alone n is an element of a vector") {
    const std::size_t n = 1000;
    CHECK(xt::xtensor<float, 1>::from_shape({n}).size() == n);
    CHECK(xt::xtensor<std::size_t, 1>({n}).size() == 1);
    CHECK(xt::xtensor<float, 2>({n, 3}).size() == 3 * n);
    CHECK(xt::xtensor<float, 2>::from_shape({n, 3}).size() == 3 * n);
  }

  TEST_CASE("what comes along: xt::xtensor, builders, functions, reductions, transposes and strided views") {
    constexpr etch::placeholder<"rows", double, etch::any<"n">, etch::any<"m">> rows;
    constexpr auto total = etch::sum(rows, etch::axis<0>);
    const std::size_t n = 5;
    auto a = xt::xtensor<double, 2>::from_shape({n, 2});
    a.fill(0.5);
    etch::session s(total);
    CHECK(s.run(total, rows = a) == xt::xtensor<double, 1>{2.5, 2.5});
    CHECK(s.run(total, rows = xt::transpose(a)) == xt::ones<double>({n}));
    CHECK(s.run(total, rows = xt::strided_view(a, {xt::range(0, 2), xt::all()})) == xt::xtensor<double, 1>{1, 1});
    const xt::xtensor<double, 1> counted = xt::arange<double>(3) * 2 + xt::zeros<double>({3});
    CHECK(xt::sum(counted)() == 6);
  }
}
