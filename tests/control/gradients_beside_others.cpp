// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <etch/control.hpp>
#include <etch/etch.hpp>

/// "A gradient has the same bits whatever else is fetched": what comes from several uses of a value is summed up in one order, though other
/// fetches, first in the list, have the graph's nodes in another one.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double, 16, 16> x;
constexpr auto a = etch::cosh(x);
constexpr auto b = etch::tanh(x) * 0.7_c;
constexpr auto c = etch::exp(-b) * x;

/// A gradient alone, behind one of the values that it is made of, and behind all.
template <expression Gradient, expression Y>
void check_alone_and_beside(Gradient slope, Y y) {
  session s(slope, a, b, c, y);
  xt::xtensor<double, 2> at = xt::xtensor<double, 2>::from_shape({16, 16});
  for (std::size_t i = 0; i < at.size(); ++i) at.data()[i] = 1.3 * std::sin(1.7 * static_cast<double>(i));
  const xt::xtensor<double, 2> alone = s.run(slope, x = at);
  CHECK(std::get<1>(s.run(b, slope, x = at)) == alone);
  CHECK(std::get<4>(s.run(a, b, c, y, slope, x = at)) == alone);
}

}  // namespace

TEST_CASE("gradients of products and elementwise functions have the same bits alone and beside others") {
  constexpr auto y = matmul(a, matrix_transpose(x)) * b + c / a;
  constexpr auto first = gradient(sum(square(y)), x);
  check_alone_and_beside(first, y);
  check_alone_and_beside(gradient(sum(first * a), x), y);
}
TEST_CASE("gradients of loops have the same bits alone and beside others") {
  constexpr auto y =
      for_range<3>([](auto i, auto t) { return etch::tanh(t) * a + etch::sin(t * b) * astype<double>(i) + b * t - c * t; }, c);
  check_alone_and_beside(gradient(sum(square(y)), x), y);
}
TEST_CASE("gradients of branches have the same bits alone and beside others") {
  constexpr auto y = cond(sum(x) > 0_c, [] { return a * b + c * b * x; }, [] { return b * b - a * c - a * x; });
  check_alone_and_beside(gradient(sum(square(y)), x), y);
}
