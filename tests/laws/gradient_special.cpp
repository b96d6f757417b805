// SPDX-License-Identifier: MIT
#include <cmath>

#include "compare.hpp"

/// Gradients where a slope is infinite, is none, or has squares that overflow: what ops.md says of them, written down.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double, any<"n">> x;
constexpr placeholder<"y", double, any<"n">> y;
constexpr double inf = std::numeric_limits<double>::infinity();

/// The gradient of sum(f(x)) at some numbers, on both backends.
template <class F>
void check_slopes(F, const std::vector<double>& at, const std::vector<double>& expected, const char* what) {
  constexpr auto slope = gradient(sum(F{}(x)), x);
  xt::xtensor<double, 1> points = xt::xtensor<double, 1>::from_shape({at.size()}), slopes = points;
  std::copy(at.begin(), at.end(), points.begin());
  std::copy(expected.begin(), expected.end(), slopes.begin());
  session s(slope);
  std::string where;
  laws::check_that(laws::agree(s.run(slope, x = points), slopes, 4, where), what + (": " + where));
  laws::check_that(laws::agree(reference::run(slope, x = points), slopes, 4, where), what + (" of the reference: " + where));
}

/// Of sum(f(x, y)) with respect to both.
template <class F>
void check_slopes_of_pairs(F, double a, double b, double by_a, double by_b, const char* what) {
  constexpr auto first = gradient(sum(F{}(x, y)), x);
  constexpr auto second = gradient(sum(F{}(x, y)), y);
  const xt::xtensor<double, 1> p{a, a, a}, q{b, b, b};
  const auto expected = std::tuple(xt::xtensor<double, 1>{by_a, by_a, by_a}, xt::xtensor<double, 1>{by_b, by_b, by_b});
  constexpr std::int64_t ulps[] = {4, 4};
  constexpr const char* names[] = {"first", "second"};
  session s(first, second);
  laws::check_agreement(s.run(first, second, x = p, y = q), expected, names, ulps, what);
  laws::check_agreement(reference::run(first, second, x = p, y = q), expected, names, ulps, what);
}

}  // namespace

TEST_CASE("law: infinite slopes are infinite gradients") {
  check_slopes(etch::cbrt, {0, 8, -8}, {inf, 1.0 / 12, 1.0 / 12}, "cbrt");
  check_slopes(etch::asin, {1, -1, 0}, {inf, inf, 1}, "asin");
  check_slopes(etch::acos, {1, -1, 0}, {-inf, -inf, -1}, "acos");
  check_slopes(etch::acosh, {1, 1.25, 1e300}, {inf, 4.0 / 3, 1e-300}, "acosh");
  check_slopes(etch::atanh, {1, -1, 0.5}, {inf, inf, 4.0 / 3}, "atanh");
  check_slopes(etch::log2, {0, 1, 2}, {inf, 1.4426950408889634, 0.7213475204444817}, "log2");
}

TEST_CASE("law: gradients of large numbers do not overflow on their way") {
  check_slopes(etch::asinh, {1e300, -1e300, 0, 0.75}, {1e-300, 1e-300, 1, 0.8}, "asinh");
  check_slopes(etch::atan, {1e300, 0, -2}, {0, 1, 0.2}, "atan");
  check_slopes_of_pairs(etch::hypot, 3e300, -4e300, 0.6, -0.8, "hypot of large numbers");
  check_slopes_of_pairs(etch::hypot, 3e-300, 4e-300, 0.6, 0.8, "hypot of small numbers");
  check_slopes_of_pairs(etch::atan2, 3e200, 4e200, 1.6e-201, -1.2e-201, "atan2 of large numbers");
  check_slopes_of_pairs(etch::atan2, 3e-200, -4e-200, -1.6e199, -1.2e199, "atan2 of small numbers");
}

TEST_CASE("law: the gradients of hypot and atan2 at the origin are zero") {
  check_slopes_of_pairs(etch::hypot, 0, 0, 0, 0, "hypot");
  check_slopes_of_pairs(etch::atan2, 0, 0, 0, -0.0, "atan2");
}

TEST_CASE("law: steps have no slope") {
  check_slopes([](auto v) { return etch::trunc(v) * v; }, {1.5, -0.5, 3.25}, {1, -0.0, 3}, "trunc");
}

TEST_CASE("law: slopes that are constant have the slope 0") {
  constexpr auto slope_of_slope = [](auto f) { return gradient(sum(gradient(sum(f), x)), x); };
  constexpr auto line = slope_of_slope(3_c * x + y);
  constexpr auto steps = slope_of_slope(square(etch::round(x)));
  constexpr auto by_other = gradient(sum(gradient(sum(x * y), x)), x);
  constexpr auto beside = slope_of_slope(x * x + etch::floor(y));
  const xt::xtensor<double, 1> p{-1.5, 0, 2.25}, none{0, 0, 0}, two{2, 2, 2};
  session s(line, steps, by_other, beside);
  const auto expected = std::tuple(none, none, none, two);
  CHECK(s.run(line, steps, by_other, beside, x = p, y = p) == expected);
  CHECK(reference::run(line, steps, by_other, beside, x = p, y = p) == expected);
}
TEST_CASE("law: the slope of a power by its exponent, where the base is 0 or infinite") {
  const auto by_exponent = [](double a, double b, double expected, const char* what) {
    constexpr auto slope = gradient(sum(etch::pow(x, y)), y);
    const xt::xtensor<double, 1> p{a, a, a}, q{b, b, b}, wanted{expected, expected, expected};
    session s(slope);
    std::string fault;
    laws::check_that(laws::agree(s.run(slope, x = p, y = q), wanted, 4, fault), what + (": " + fault));
    laws::check_that(laws::agree(reference::run(slope, x = p, y = q), wanted, 4, fault), what + (" of the reference: " + fault));
  };
  by_exponent(0, -1, -inf, "0 to the power of -1");
  by_exponent(0, -0.5, -inf, "0 to the power of -0.5");
  by_exponent(0, -inf, -inf, "0 to the power of -inf");
  by_exponent(0, 0, 0, "0 to the power of 0");
  by_exponent(0, 2, 0, "0 to the power of 2");
  by_exponent(0, inf, 0, "0 to the power of inf");
  by_exponent(inf, -2, 0, "inf to the power of -2");
  by_exponent(inf, 0, inf, "inf to the power of 0");
  by_exponent(inf, 2, inf, "inf to the power of 2");
  by_exponent(1, 5, 0, "1 to the power of 5");
  by_exponent(-2, 2, std::nan(""), "of a negative number");
  check_slopes_of_pairs(etch::pow, 0, -1, -inf, -inf, "0 to the power of -1 by both");
}
