// SPDX-License-Identifier: MIT
#include <numbers>

#include <etch/base/constant_math.hpp>
#include <etch/base/scalar_math.hpp>

#include "points.hpp"

/// constant_math and the functions of numbers against the standard library. Bounds are in units of the last place, and
/// count the distance of two results: that of the library's own from the exact one is in them.
namespace {

namespace constant = etch::constant_math;
namespace math = etch::math;
using namespace trial;

}  // namespace

#define COMPARE_UNARY(NAME, OURS, LIBRARY, BOUND, POINTS)                                                                  \
  TEST_CASE("math: " NAME " at compile time is within " #BOUND " ulp of " #LIBRARY) {                                      \
    constexpr auto results = evaluated([](double x) { return constant::OURS(x); });                                        \
    CHECK(largest_distance(results, [](double x) { return LIBRARY(x); }) <= BOUND);                                        \
  }                                                                                                                        \
  TEST_CASE("math: " NAME " of constant_math at run time is within " #BOUND " ulp of " #LIBRARY) {                         \
    const points xs = points() POINTS;                                                                                     \
    CHECK(largest_distance(xs, [](double x) { return constant::OURS(x); }, [](double x) { return LIBRARY(x); }) <= BOUND); \
  }

COMPARE_UNARY("exp", exp, std::exp, 1, .evenly(-746, 710).evenly(-1, 1).evenly(-746, -708).sizes(-60, 10).any_bits())
COMPARE_UNARY("expm1", expm1, std::expm1, 1, .evenly(-50, 710).evenly(-1, 1).sizes(-60, 10).any_bits())
COMPARE_UNARY("log", log, std::log, 1, .evenly(0, 10).evenly(0.99, 1.01).sizes(-1074, -1022).any_bits())
COMPARE_UNARY("log1p", log1p, std::log1p, 1, .evenly(-1, 5).sizes(-60, 1000).any_bits())
COMPARE_UNARY("sin", sin, std::sin, 2, .evenly(-1e6, 1e6).evenly(-10, 10).near_multiples(std::numbers::pi / 4, 1000000).any_bits())
COMPARE_UNARY("cos", cos, std::cos, 2, .evenly(-1e6, 1e6).evenly(-10, 10).near_multiples(std::numbers::pi / 4, 1000000).any_bits())
COMPARE_UNARY("tanh", tanh, std::tanh, 2, .evenly(-25, 25).evenly(-1, 1).sizes(-60, 6).any_bits())
COMPARE_UNARY("erf", erf, std::erf, 2, .evenly(-6.2, 6.2).evenly(-1, 1).sizes(-60, 3).any_bits())
COMPARE_UNARY("sqrt", sqrt, std::sqrt, 0, .evenly(0, 4).evenly(0.9999999, 1.0000001).any_bits())
COMPARE_UNARY("floor", floor, std::floor, 0, .evenly(-9, 9).near_multiples(0.5, 99).sizes(-5, 56).any_bits())
COMPARE_UNARY("ceil", ceil, std::ceil, 0, .evenly(-9, 9).near_multiples(0.5, 99).sizes(-5, 56).any_bits())
COMPARE_UNARY("trunc", trunc, std::trunc, 0, .evenly(-9, 9).near_multiples(0.5, 99).sizes(-5, 56).any_bits())
COMPARE_UNARY("round_to_even", round_to_even, std::nearbyint, 0, .evenly(-9, 9).near_multiples(-0.5, 99).sizes(-5, 56).any_bits())
COMPARE_UNARY("fabs", fabs, std::fabs, 0, .any_bits())

TEST_CASE("math: special values at compile time") {
  using constant::exp, constant::expm1, constant::log, constant::log1p, constant::pow, constant::sqrt;
  constexpr double inf = infinity<double>;
  static_assert(exp(0.0) == 1 && exp(1.0) == 2.718281828459045 && exp(-inf) == 0 && exp(inf) == inf);
  static_assert(exp(709.782712893384) < inf && exp(709.7827128933841) == inf);
  static_assert(exp(-745.1332191019411) == 0x1p-1074 && exp(-745.1332191019412) == 0);
  static_assert(constant::is_negative(expm1(-0.0)) && expm1(-inf) == -1 && expm1(1e-17) == 1e-17);
  static_assert(log(1.0) == 0 && log(10.0) == 2.302585092994046 && log(0.0) == -inf && log(-0.0) == -inf);
  static_assert(constant::is_nan(log(-1.0)) && constant::is_nan(log(-inf)) && log(inf) == inf);
  static_assert(log1p(-1.0) == -inf && constant::is_nan(log1p(-1.5)) && constant::is_negative(log1p(-0.0)));
  static_assert(sqrt(2.0) == 1.4142135623730951 && constant::is_negative(sqrt(-0.0)) && constant::is_nan(sqrt(-1.0)));
  static_assert(sqrt(0x1p-1074) == 0x1p-537 && sqrt(0x1.fffffffffffffp-1) == 0x1.fffffffffffffp-1);
  static_assert(pow(2.0, 10.0) == 1024 && pow(10.0, 22.0) == 1e22 && pow(-2.0, 3.0) == -8 && pow(0.0, 0.0) == 1);
  static_assert(pow(not_a_number<double>, 0.0) == 1 && pow(1.0, not_a_number<double>) == 1 && pow(-1.0, inf) == 1);
  static_assert(constant::is_nan(pow(-2.0, 0.5)) && pow(-0.0, -3.0) == -inf && pow(2.0, 1e300) == inf);
  static_assert(constant::sin(22.0) == -0.008851309290403876 && constant::cos(1e22) == 0.523214785395139);
  static_assert(constant::is_nan(constant::sin(inf)) && constant::is_negative(constant::sin(-0.0)));
  static_assert(constant::tanh(-inf) == -1 && constant::erf(inf) == 1 && constant::is_negative(constant::erf(-0.0)));
  static_assert(constant::floor(-0.5) == -1 && constant::is_negative(constant::ceil(-0.5)));
  static_assert(constant::round_to_even(2.5) == 2 && constant::round_to_even(-3.5) == -4);
  static_assert(constant::fmod(-5.5, 2.0) == -1.5 && constant::fmod(1e300, 7.0) == 1);
  static_assert(constant::ldexp(0.75, -1073) == 0x1p-1073 && constant::ldexp(1.0, 1024) == inf);
  static_assert(constant::sigmoid(-inf) == 0 && constant::sigmoid(inf) == 1 && constant::sigmoid(0.0) == 0.5);
  static_assert(constant::rsqrt(-0.0) == -inf && constant::rsqrt(inf) == 0 && constant::rsqrt(0.25) == 2);
}

TEST_CASE("math: pow at compile time is within 2 ulp of std::pow") {
  constexpr std::array<std::array<double, 2>, 10> arguments = {{{1.1, 10.0},
                                                                {0.3, -7.25},
                                                                {1e-300, 1.01},
                                                                {3.0, 600.0},
                                                                {-7.0, 5.0},
                                                                {0.5, 1073.5},
                                                                {1.0000000001, 1e12},
                                                                {2.0, 0.5},
                                                                {-1e10, -31.0},
                                                                {9.0, 400.0}}};
  constexpr auto results = [&] {
    std::array<double, arguments.size()> powers{};
    for (std::size_t i = 0; i < powers.size(); ++i) powers[i] = constant::pow(arguments[i][0], arguments[i][1]);
    return powers;
  }();
  for (std::size_t i = 0; i < results.size(); ++i) CHECK(distance(results[i], std::pow(arguments[i][0], arguments[i][1])) <= 2);
}

TEST_CASE("math: pow of constant_math at run time is within 2 ulp of std::pow") {
  const auto at = [](double y) { return [y](double x) { return distance(constant::pow(x, y), std::pow(x, y)) <= 2 ? 0.0 : 1.0; }; };
  const auto none = [](double) { return 0.0; };
  const points special;
  for (const double y : special) CHECK(largest_distance(special, at(y), none) == 0);
  for (const double y : {0.5, -0.5, 2.0, 3.0, -1.0, 7.3, -112.7, 1e-3})
    CHECK(largest_distance(points().evenly(0, 9).any_bits(), at(y), none) == 0);
  for (const double y : {1e15, -1e15, 3e9, -1e12}) CHECK(largest_distance(points().evenly(0.9999999, 1.0000001), at(y), none) == 0);
  for (const double x : {0.9, 2.0, 10.0, 1e-5, 1e100}) {
    const auto power = [x](double y) { return distance(constant::pow(x, y), std::pow(x, y)) <= 2 ? 0.0 : 1.0; };
    const double end = 745 / std::fabs(std::log(x));
    CHECK(largest_distance(points().evenly(-end, end).any_bits(), power, none) == 0);
  }
}

TEST_CASE("math: fmod, ldexp and fma of constant_math are those of std") {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> exponent(-40, 40), mantissa(1, 2);
  const points special;
  for (const double x : special)
    for (const double y : special) CHECK(same(constant::fmod(x, y), std::fmod(x, y)));
  int different = 0;
  const points any = points().any_bits();
  for (const double x : any) {
    const double y = std::exp2(exponent(engine)), z = std::ldexp(mantissa(engine), static_cast<int>(engine() % 80) - 40);
    different += !same(constant::fmod(x, y), std::fmod(x, y));
    different += !same(constant::fmod(z, y), std::fmod(z, y));
    const int n = static_cast<int>(engine() % 4400) - 2200;
    different += !same(constant::ldexp(x, n), std::ldexp(x, n));
    different += !same(constant::fma(y, z, -y * z), std::fma(y, z, -y * z));
    const double c = mantissa(engine) - z;
    different += distance(constant::fma(y, z, c), std::fma(y, z, c)) > 1;
  }
  CHECK(different == 0);
}

TEST_CASE_TEMPLATE("math: floating functions at compile time are those at run time within 2 ulp", T, float, double) {
  constexpr std::array<T, 12> xs = {T(0), T(0.1), T(0.5), T(0.9), T(1), T(1.7), T(2.5), T(3.14), T(9), T(33), T(77.7), T(1e4)};
#define COMPARE_HERE(NAME)                                                             \
  {                                                                                    \
    constexpr auto results = [&] {                                                     \
      std::array<T, xs.size()> values{};                                               \
      for (std::size_t i = 0; i < xs.size(); ++i) values[i] = math::NAME(xs[i]);       \
      return values;                                                                   \
    }();                                                                               \
    for (std::size_t i = 0; i < xs.size(); ++i) {                                      \
      CAPTURE(xs[i]);                                                                  \
      CHECK_MESSAGE(distance(results[i], math::NAME(at_run_time(xs[i]))) <= 2, #NAME); \
    }                                                                                  \
  }
  COMPARE_HERE(abs)
  COMPARE_HERE(sign)
  COMPARE_HERE(floor)
  COMPARE_HERE(ceil)
  COMPARE_HERE(round)
  COMPARE_HERE(trunc)
  COMPARE_HERE(sqrt)
  COMPARE_HERE(rsqrt)
  COMPARE_HERE(cbrt)
  COMPARE_HERE(exp)
  COMPARE_HERE(exp2)
  COMPARE_HERE(expm1)
  COMPARE_HERE(log)
  COMPARE_HERE(log2)
  COMPARE_HERE(log10)
  COMPARE_HERE(log1p)
  COMPARE_HERE(sin)
  COMPARE_HERE(cos)
  COMPARE_HERE(tan)
  COMPARE_HERE(asin)
  COMPARE_HERE(acos)
  COMPARE_HERE(atan)
  COMPARE_HERE(sinh)
  COMPARE_HERE(cosh)
  COMPARE_HERE(tanh)
  COMPARE_HERE(asinh)
  COMPARE_HERE(acosh)
  COMPARE_HERE(atanh)
  COMPARE_HERE(sigmoid)
  COMPARE_HERE(erf)
#undef COMPARE_HERE
}

/// `expression` holds in a constant expression and at run time, where its x, y and z are what the compiler can not see.
#define HOLDS(T, X, Y, Z, ...)                                                                   \
  {                                                                                              \
    constexpr auto holds = [](T x, T y, T z) { return (void)x, (void)y, (void)z, __VA_ARGS__; }; \
    static_assert(holds(X, Y, Z));                                                               \
    CHECK_MESSAGE(holds(at_run_time<T>(X), at_run_time<T>(Y), at_run_time<T>(Z)), #__VA_ARGS__); \
  }

TEST_CASE_TEMPLATE("math: floating maximum, minimum and sign propagate NaN", T, float, double) {
  constexpr T nan = not_a_number<T>;
  HOLDS(T, 2, nan, -3, math::maximum(x, y) != math::maximum(x, y) && math::maximum(y, x) != math::maximum(y, x))
  HOLDS(T, 2, nan, -3, math::minimum(x, y) != math::minimum(x, y) && math::minimum(y, x) != math::minimum(y, x))
  HOLDS(T, 2, nan, -3, math::maximum(x, z) == 2 && math::maximum(z, x) == 2 && math::minimum(x, z) == -3)
  HOLDS(T, 2, nan, -3, math::sign(y) != math::sign(y) && math::sign(x) == 1 && math::sign(z) == -1)
  HOLDS(T, 0, nan, T(-0.0), 1 / (math::sign(z) + T(-0.0) == 0 ? T(1) : T(2)) == 1)
  HOLDS(T, 2, nan, -3, math::abs(z) == 3 && math::abs(y) != math::abs(y))
  HOLDS(T, 2, nan, -3, !math::equal(y, y) && math::not_equal(y, y) && !math::less(x, y) && !math::greater_equal(x, y))
  HOLDS(T, 2, 5, -3, math::less(z, x) && math::less_equal(x, x) && math::greater(y, x) && math::equal(z, z))
  HOLDS(T, 2, 5, -3, math::select(true, x, y) == 2 && math::select(false, x, y) == 5 && math::fma(x, y, z) == 7)
  CHECK(std::signbit(math::sign(at_run_time(T(-0.0)))));
}

TEST_CASE_TEMPLATE("math: floating remainder has the sign of the divisor", T, float, double) {
  constexpr T inf = infinity<T>;
  HOLDS(T, 7, 3, -3, math::remainder(x, y) == 1 && math::remainder(x, z) == -2)
  HOLDS(T, -7, 3, -3, math::remainder(x, y) == 2 && math::remainder(x, z) == -1)
  HOLDS(T, 7, 3, -3, math::floor_divide(x, y) == 2 && math::floor_divide(x, z) == -3)
  HOLDS(T, -7, 3, -3, math::floor_divide(x, y) == -3 && math::floor_divide(x, z) == 2)
  HOLDS(T, 1, inf, -inf, math::remainder(x, y) == 1 && math::remainder(x, z) == z && math::floor_divide(x, z) == -1)
  HOLDS(T, 1, 0, -1, math::floor_divide(x, y) == inf && math::floor_divide(z, y) == -inf)
  HOLDS(T, 1, 0, -1, math::remainder(x, y) != math::remainder(x, y))
  HOLDS(T, 1, 0, inf, math::floor_divide(y, y) != math::floor_divide(y, y) && math::remainder(z, x) != 0)
  HOLDS(T, not_a_number<T>, 2, 0, math::floor_divide(x, y) != 0 && math::floor_divide(y, x) != 0)
  HOLDS(T, not_a_number<T>, 2, 0, math::floor_divide(x, z) != math::floor_divide(x, z))
  CHECK(same(math::remainder(at_run_time(T(6)), at_run_time(T(-3))), T(-0.0)));
  CHECK(same(math::floor_divide(at_run_time(T(0)), at_run_time(T(-3))), T(-0.0)));
  CHECK(same(math::floor_divide(at_run_time(T(-1)), at_run_time(T(-3))), T(0)));
  // the quotient of these is 10 as a double, but 0.1 is above a tenth
  CHECK(math::floor_divide(at_run_time(1.0), at_run_time(0.1)) == 9);

  std::mt19937 engine(3);
  std::uniform_real_distribution<T> draw(-100, 100);
  int wrong = 0;
  for (int i = 0; i < 10000; ++i) {
    const T a = draw(engine), b = draw(engine) / 8;
    const T quotient = math::floor_divide(a, b), rest = math::remainder(a, b);
    wrong += quotient != std::floor(quotient) || (b > 0 ? rest < 0 || rest > b : rest > 0 || rest < b);
    wrong += !(std::fabs(quotient * b + rest - a) <= 4 * std::numeric_limits<T>::epsilon() * (std::fabs(a) + std::fabs(b)));
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("math: sigmoid and rsqrt at the ends of the range", T, float, double) {
  constexpr T inf = infinity<T>;
  HOLDS(T, -1e4f, 1e4f, 0, math::sigmoid(x) == 0 && math::sigmoid(y) == 1 && math::sigmoid(z) == T(0.5))
  HOLDS(T, -inf, inf, -80, math::sigmoid(x) == 0 && math::sigmoid(y) == 1 && math::sigmoid(z) > 0)
  HOLDS(T, 0, inf, 4, math::rsqrt(x) == inf && math::rsqrt(y) == 0 && math::rsqrt(z) == T(0.5))
  HOLDS(T, -1, not_a_number<T>, 4, math::rsqrt(x) != math::rsqrt(x) && math::sigmoid(y) != math::sigmoid(y))
  HOLDS(T, 1000, -1000, 4, math::exp(x) == inf && math::exp(y) == 0 && math::expm1(y) == -1)
  HOLDS(T, 2.5f, -3.5f, 0.5f, math::round(x) == 2 && math::round(y) == -4 && math::round(z) == 0)
}

TEST_CASE("math: results between the floats are rounded at compile time as at run time") {
  static_assert(math::exp(88.72283f) < infinity<float> && math::exp(88.72284f) == infinity<float>);
  static_assert(math::exp(-200.0f) == 0 && math::log(1e-45f) == -103.27893f);
  static_assert(math::pow(10.0f, 38.0f) == 1e38f && math::pow(-10.0f, 39.0f) == -infinity<float>);
  static_assert(std::is_same_v<decltype(math::exp(1.0f)), float>);
}

TEST_CASE_TEMPLATE("math: integers wrap around and divide downwards", T, std::int32_t, std::int64_t) {
  constexpr T min = lowest<T>, max = highest<T>;
  HOLDS(T, -5, min, 7, math::abs(x) == 5 && math::abs(y) == min && math::abs(z) == 7)
  HOLDS(T, -5, 0, 7, math::sign(x) == -1 && math::sign(y) == 0 && math::sign(z) == 1)
  HOLDS(T, 7, 2, -2, math::floor_divide(x, y) == 3 && math::floor_divide(x, z) == -4 && math::remainder(x, z) == -1)
  HOLDS(T, -7, 2, -2, math::floor_divide(x, y) == -4 && math::floor_divide(x, z) == 3 && math::remainder(x, y) == 1)
  HOLDS(T, -8, 2, -2, math::floor_divide(x, y) == -4 && math::floor_divide(x, z) == 4 && math::remainder(x, y) == 0)
  HOLDS(T, 7, 0, min, math::floor_divide(x, y) == 0 && math::remainder(x, y) == 0 && math::floor_divide(z, y) == 0)
  HOLDS(T, min, -1, max, math::floor_divide(x, y) == min && math::remainder(x, y) == 0 && math::remainder(z, y) == 0)
  HOLDS(T, 3, 4, 0, math::pow(x, y) == 81 && math::pow(z, z) == 1 && math::pow(z, x) == 0)
  HOLDS(T, 3, -4, -1, math::pow(x, y) == 0 && math::pow(z, y) == 1 && math::pow(z, T(-3)) == -1)
  HOLDS(T, 1, -4, 0, math::pow(x, y) == 1 && math::pow(z, y) == 0 && math::pow(x, lowest<T>) == 1)
  HOLDS(T, 2, sizeof(T) * 8, -3, math::pow(x, y) == 0 && math::pow(x, T(y - 1)) == min && math::pow(z, T(3)) == -27)
  HOLDS(T, max, 2, 3, math::fma(x, y, z) == 1 && math::pow(x, y) == 1)
  HOLDS(T, max, min, 3, math::maximum(x, y) == max && math::minimum(x, y) == min && math::maximum(z, z) == 3)
  HOLDS(T, max, min, 3, math::floor(x) == x && math::ceil(y) == y && math::round(z) == z && math::trunc(z) == z)
  HOLDS(T, max, min, 3, math::less(y, x) && math::select(math::greater(z, x), x, z) == 3 && math::not_equal(x, y))
}

TEST_CASE("math: bytes wrap around at 256") {
  using T = std::uint8_t;
  HOLDS(T, 200, 100, 0, math::fma(x, y, y) == (200 * 100 + 100) % 256 && math::abs(x) == 200)
  HOLDS(T, 200, 100, 0, math::sign(x) == 1 && math::sign(z) == 0 && math::maximum(x, y) == 200)
  HOLDS(T, 200, 3, 0, math::floor_divide(x, y) == 66 && math::remainder(x, y) == 2 && math::floor_divide(x, z) == 0)
  HOLDS(T, 3, 5, 8, math::pow(x, y) == 243 && math::pow(x, z) == 6561 % 256 && math::remainder(x, T(0)) == 0)
  static_assert(std::is_same_v<decltype(math::pow(T(2), T(2))), T>);
}

TEST_CASE("math: the maximum of bools is or, the minimum is and") {
  for (const bool a : {false, true})
    for (const bool b : {false, true}) {
      CHECK(math::maximum(a, b) == (a || b));
      CHECK(math::minimum(a, b) == (a && b));
      CHECK(math::equal(a, b) == (a == b));
      CHECK(math::not_equal(a, b) == (a != b));
      CHECK(math::less(a, b) == (!a && b));
      CHECK(math::greater_equal(a, b) == (a || !b));
      CHECK(math::fma(a, b, true));
      CHECK(math::fma(a, b, false) == (a && b));
      CHECK(math::pow(a, b) == (a || !b));
      CHECK(math::floor_divide(a, b) == (a && b));
      CHECK(math::remainder(a, b) == false);
      CHECK(math::select(a, a, b) == (a || b));
      CHECK(math::abs(a) == a);
      CHECK(math::sign(a) == a);
    }
  static_assert(math::maximum(true, false) && !math::minimum(true, false));
}

namespace {

template <class T>
concept has_exp = requires(T x) { math::functions<T>::exp(x); };
static_assert(has_exp<float> && has_exp<double> && !has_exp<std::int32_t> && !has_exp<bool>);

}  // namespace
