// SPDX-License-Identifier: MIT
#include <numbers>

#include <etch/base/constant_math.hpp>
#include <etch/base/scalar_math.hpp>

#include "points.hpp"

/// Elementary functions of constant_math against those of the C library for long double, and against written results. The
/// bound is what constant_math says of itself, 0.501 ulp, and what the library's last place may add to it.
namespace {

namespace constant = etch::constant_math;
namespace math = etch::math;
using namespace trial;

constexpr double bound = 0.503;

template <class F, class G>
double largest_error(const points& xs, F ours, G exact) {
  double largest = 0;
  for (const double x : xs) {
    const double e = error_in_ulps(ours(x), exact(x));
    if (e > bound && e > largest) MESSAGE("at " << x << ": " << ours(x) << " against " << static_cast<double>(exact(x)));
    largest = e > largest ? e : largest;
  }
  return largest;
}

/// Both coordinates of all sizes, near each other and far apart.
template <class F, class G>
double largest_error_of_pairs(F ours, G exact) {
  double largest = 0;
  const auto compare = [&](double a, double b) {
    const double e = error_in_ulps(ours(a, b), exact(static_cast<long double>(a), static_cast<long double>(b)));
    if (e > bound && e > largest) MESSAGE("at " << a << ", " << b << ": " << ours(a, b));
    largest = e > largest ? e : largest;
  };
  const points special;
  for (const double a : special)
    for (const double b : special) compare(a, b);
  const points any = points().any_bits(), near = points().evenly(-3, 3), apart = points().sizes(-70, 70);
  for (auto a = any.begin(), b = near.begin(), c = apart.begin(); a != any.end(); ++a, ++b, ++c) {
    compare(*a, *(any.end() - 1 - (a - any.begin())));
    compare(*a, *a * *b);
    compare(*b, *c);
    compare(*c, *b);
  }
  return largest;
}

}  // namespace

#define COMPARE_WITH_LONG_DOUBLE(NAME, POINTS)                                                                                    \
  TEST_CASE("math: " #NAME " at compile time is right") {                                                                         \
    constexpr auto results = evaluated([](double x) { return constant::NAME(x); });                                               \
    for (std::size_t i = 0; i < results.size(); ++i) {                                                                            \
      CAPTURE(constant_points[i]);                                                                                                \
      CHECK(error_in_ulps(results[i], std::NAME(static_cast<long double>(constant_points[i]))) <= bound);                         \
    }                                                                                                                             \
  }                                                                                                                               \
  TEST_CASE("math: " #NAME " of constant_math is within 0.501 ulp") {                                                             \
    const points xs = points() POINTS;                                                                                            \
    CHECK(largest_error(                                                                                                          \
              xs, [](double x) { return constant::NAME(x); }, [](double x) { return std::NAME(static_cast<long double>(x)); }) <= \
          bound);                                                                                                                 \
  }

COMPARE_WITH_LONG_DOUBLE(exp2, .evenly(-1080, 1030).evenly(-1, 1).evenly(-1076, -1020).sizes(-60, 11).any_bits())
COMPARE_WITH_LONG_DOUBLE(log2, .evenly(0, 10).evenly(0.99, 1.01).sizes(-1074, -1022).any_bits())
COMPARE_WITH_LONG_DOUBLE(log10, .evenly(0, 10).evenly(0.99, 1.01).sizes(-1074, -1022).any_bits())
COMPARE_WITH_LONG_DOUBLE(cbrt, .evenly(-10, 10).sizes(-1074, -1022).sizes(-60, 60).any_bits())
COMPARE_WITH_LONG_DOUBLE(tan, .evenly(-1e6, 1e6).evenly(-2, 2).near_multiples(std::numbers::pi / 4, 1000000).any_bits())
COMPARE_WITH_LONG_DOUBLE(asin, .evenly(-1, 1).evenly(0.999, 1).evenly(0.7, 0.71).sizes(-70, 0).any_bits())
COMPARE_WITH_LONG_DOUBLE(acos, .evenly(-1, 1).evenly(0.999, 1).evenly(-1, -0.999).sizes(-70, 0).any_bits())
COMPARE_WITH_LONG_DOUBLE(atan, .evenly(-3, 3).evenly(0.99, 1.01).sizes(-70, 70).any_bits())
COMPARE_WITH_LONG_DOUBLE(sinh, .evenly(-711, 711).evenly(-1, 1).evenly(23, 25).sizes(-40, 5).any_bits())
COMPARE_WITH_LONG_DOUBLE(cosh, .evenly(-711, 711).evenly(-1, 1).evenly(23, 25).sizes(-40, 5).any_bits())
COMPARE_WITH_LONG_DOUBLE(asinh, .evenly(-3, 3).evenly(0.16, 0.18).sizes(-40, 40).any_bits())
COMPARE_WITH_LONG_DOUBLE(acosh, .evenly(1, 3).evenly(1, 1.1).evenly(1, 1.0001).sizes(0, 40).any_bits())
COMPARE_WITH_LONG_DOUBLE(atanh, .evenly(-1, 1).evenly(0.16, 0.18).evenly(0.999, 1).sizes(-40, 0).any_bits())

TEST_CASE("math: atan2 and hypot of constant_math are within 0.501 ulp") {
  CHECK(largest_error_of_pairs([](double y, double x) { return constant::atan2(y, x); },
                               [](long double y, long double x) { return std::atan2(y, x); }) <= bound);
  CHECK(largest_error_of_pairs([](double a, double b) { return constant::hypot(a, b); },
                               [](long double a, long double b) { return std::hypot(a, b); }) <= bound);
}

// The right sides are rounded results of mpmath 1.3 with 2400 bits.
TEST_CASE("math: elementary functions are rounded correctly at compile time") {
  static_assert(constant::exp2(0.1) == 1.0717734625362931 && constant::exp2(-7.3) == 0.0063457218465330905);
  static_assert(constant::exp2(1023.9) == 1.6773070034857416e+308 && constant::exp2(-1074.3) == 5e-324);
  static_assert(constant::log2(3.0) == 1.584962500721156 && constant::log2(0.7) == -0.5145731728297583);
  static_assert(constant::log2(1.0000000000000002) == 3.203426503814917e-16);
  static_assert(constant::log2(1e-310) == -1029.7977094150824);
  static_assert(constant::log10(2.0) == 0.3010299956639812 && constant::log10(5e-324) == -323.3062153431158);
  static_assert(constant::log10(0.9999999999999999) == -4.821637332766436e-17 && constant::log10(1e+308) == 308.0);
  static_assert(constant::cbrt(2.0) == 1.2599210498948732 && constant::cbrt(-3.0) == -1.4422495703074083);
  static_assert(constant::cbrt(1e-320) == 2.1544266950262728e-107 && constant::cbrt(1.7e+308) == 5.539658256754465e+102);
  static_assert(constant::tan(1.0) == 1.5574077246549023 && constant::tan(1e+22) == -1.6287782256068988);
  static_assert(constant::tan(1.5707963267948966) == 1.633123935319537e+16);
  static_assert(constant::tan(5.319372648326541e+255) == -2.133485385753704e+18);  // the nearest double to a pole
  static_assert(constant::asin(0.3) == 0.3046926540153975 && constant::asin(0.9999999999999999) == 1.5707963118937354);
  static_assert(constant::asin(0.5) == 0.5235987755982989 && constant::asin(-0.75) == -0.848062078981481);
  static_assert(constant::acos(0.3) == 1.2661036727794992 && constant::acos(0.9999999999999999) == 1.4901161193847656e-08);
  static_assert(constant::acos(-0.9999999999999999) == 3.141592638688632 && constant::acos(1e-20) == 1.5707963267948966);
  static_assert(constant::atan(0.3) == 0.2914567944778671 && constant::atan(1.0) == 0.7853981633974483);
  static_assert(constant::atan(-2.5) == -1.1902899496825317 && constant::atan(1e+17) == 1.5707963267948966);
  static_assert(constant::sinh(1e-05) == 1.0000000000166668e-05 && constant::sinh(0.5) == 0.5210953054937474);
  static_assert(constant::sinh(-1.25) == -1.6019190803008256 && constant::sinh(710.4) == 1.6663642832806496e+308);
  static_assert(constant::cosh(1e-05) == 1.00000000005 && constant::cosh(0.5) == 1.1276259652063807);
  static_assert(constant::cosh(-1.25) == 1.8884238771610158 && constant::cosh(710.4) == 1.6663642832806496e+308);
  static_assert(constant::asinh(1e-05) == 9.999999999833334e-06 && constant::asinh(0.5) == 0.48121182505960347);
  static_assert(constant::asinh(-1.25) == -1.0475930126492587 && constant::asinh(1e+300) == 691.4686750787737);
  static_assert(constant::acosh(1.0000000000000002) == 2.1073424255447014e-08 && constant::acosh(1.5) == 0.9624236501192069);
  static_assert(constant::acosh(40.0) == 4.381870348040067 && constant::acosh(1e+300) == 691.4686750787737);
  static_assert(constant::atanh(1e-05) == 1.0000000000333334e-05 && constant::atanh(0.5) == 0.5493061443340549);
  static_assert(constant::atanh(-0.9999999999999999) == -18.714973875118524 && constant::atanh(0.17) == 0.1716666635005791);
  static_assert(constant::atan2(1.0, 2.0) == 0.4636476090008061 && constant::atan2(-3.0, -0.001) == -1.5711296601158842);
  static_assert(constant::atan2(5e-324, 3.0) == 0 && constant::atan2(1e-05, -100000.0) == 3.141592653489793);
  static_assert(constant::hypot(1.0, 1.0) == 1.4142135623730951 && constant::hypot(1.0, 1e-08) == 1.0);
  static_assert(constant::hypot(3e+307, -1e+308) == 1.044030650891055e+308 && constant::hypot(3.0, 4.0) == 5.0);
  static_assert(constant::hypot(5e-324, 5e-324) == 5e-324 && constant::hypot(1e-310, 2e-310) == 2.2360679774998e-310);
}

TEST_CASE("math: powers of two, ten and three are exact at compile time") {
  constexpr auto wrong = [] {
    int count = 0;
    double ten = 1;
    for (int n = 0; n <= 22; ++n, ten *= 10) count += constant::log10(ten) != n;
    for (int n = -1074; n <= 1023; n += 53) {
      const double power = constant::ldexp(1, n);
      count += constant::log2(power) != n || constant::exp2(n) != power;
    }
    for (int n = -9; n <= 9; ++n) count += constant::cbrt(1.0 * n * n * n) != n;
    return count;
  }();
  static_assert(wrong == 0);
}

// ISO C, annex F.10.
TEST_CASE("math: special values of elementary functions at compile time") {
  using constant::acos, constant::acosh, constant::asin, constant::asinh, constant::atan, constant::atan2, constant::atanh;
  using constant::cbrt, constant::cosh, constant::exp2, constant::hypot, constant::log10, constant::log2, constant::sinh;
  using constant::is_nan, constant::is_negative, constant::tan;
  constexpr double inf = infinity<double>, nan = not_a_number<double>;
  static_assert(exp2(-inf) == 0 && exp2(inf) == inf && exp2(1024.0) == inf && exp2(-1075.0) == 0 && exp2(-0.0) == 1);
  static_assert(log2(0.0) == -inf && log2(-0.0) == -inf && is_nan(log2(-1.0)) && log2(inf) == inf);
  static_assert(log10(0.0) == -inf && is_nan(log10(-inf)) && log10(inf) == inf && !is_negative(log10(1.0)));
  static_assert(is_negative(cbrt(-0.0)) && cbrt(-inf) == -inf && cbrt(0x1p-1074) == 0x1p-358);
  static_assert(is_negative(tan(-0.0)) && is_nan(tan(inf)) && tan(0x1p-1074) == 0x1p-1074);
  static_assert(is_negative(asin(-0.0)) && is_nan(asin(1.0000000000000002)) && is_nan(asin(-inf)));
  static_assert(asin(1.0) == 1.5707963267948966 && asin(-1.0) == -1.5707963267948966);
  static_assert(acos(1.0) == 0 && !is_negative(acos(1.0)) && is_nan(acos(-1.5)) && acos(-1.0) == 3.141592653589793);
  static_assert(is_negative(atan(-0.0)) && atan(inf) == 1.5707963267948966 && atan(-inf) == -1.5707963267948966);
  static_assert(is_negative(sinh(-0.0)) && sinh(-inf) == -inf && sinh(711.0) == inf && cosh(-inf) == inf && cosh(0.0) == 1);
  static_assert(is_negative(asinh(-0.0)) && asinh(-inf) == -inf && acosh(inf) == inf && acosh(1.0) == 0);
  static_assert(is_nan(acosh(0.9999999999999999)) && is_nan(acosh(-inf)) && !is_negative(acosh(1.0)));
  static_assert(is_negative(atanh(-0.0)) && atanh(1.0) == inf && atanh(-1.0) == -inf && is_nan(atanh(1.5)));
  static_assert(is_nan(tan(nan)) && is_nan(acos(nan)) && is_nan(acosh(nan)) && is_nan(cosh(nan)));
  static_assert(atan2(0.0, 1.0) == 0 && is_negative(atan2(-0.0, 1.0)) && !is_negative(atan2(0.0, 0.0)));
  static_assert(atan2(0.0, -0.0) == 3.141592653589793 && atan2(-0.0, -0.0) == -3.141592653589793);
  static_assert(atan2(-1.0, 0.0) == -1.5707963267948966 && atan2(1.0, -0.0) == 1.5707963267948966);
  static_assert(atan2(1.0, -inf) == 3.141592653589793 && is_negative(atan2(-1.0, inf)) && atan2(-1.0, inf) == 0);
  static_assert(atan2(inf, 5.0) == 1.5707963267948966 && atan2(inf, inf) == 0.7853981633974483);
  static_assert(atan2(-inf, -inf) == -2.356194490192345 && is_nan(atan2(nan, 0.0)) && is_nan(atan2(0.0, nan)));
  static_assert(hypot(-inf, nan) == inf && hypot(nan, inf) == inf && is_nan(hypot(nan, 1.0)));
  static_assert(hypot(-0.0, 0.0) == 0 && !is_negative(hypot(-0.0, -0.0)) && hypot(1.7e308, 1.7e308) == inf);
}

TEST_CASE("math: floats are rounded from doubles at compile time") {
  static_assert(math::exp2(-149.5f) == 0x1p-149f && math::exp2(-150.0f) == 0 && math::exp2(128.0f) == infinity<float>);
  static_assert(math::tan(1.0f) == 1.5574077f && math::asin(0.5f) == 0.52359879f && math::log10(1000.0f) == 3);
  static_assert(math::sinh(89.5f) == infinity<float> && math::hypot(3e38f, 3e38f) == infinity<float>);
  static_assert(math::atan2(1e-30f, 3e38f) == 0 && math::atan2(-1.0f, -1.0f) == -2.3561945f);
}

TEST_CASE_TEMPLATE("math: isfinite and isinf", T, float, double) {
  constexpr T inf = infinity<T>, nan = not_a_number<T>;
  static_assert(math::isfinite(T(0)) && math::isfinite(lowest<T>) && math::isfinite(std::numeric_limits<T>::denorm_min()));
  static_assert(!math::isfinite(inf) && !math::isfinite(-inf) && !math::isfinite(nan));
  static_assert(math::isinf(inf) && math::isinf(-inf) && !math::isinf(nan) && !math::isinf(highest<T>));
  CHECK(math::isfinite(at_run_time(highest<T>)));
  CHECK_FALSE(math::isfinite(at_run_time(nan)));
  CHECK_FALSE(math::isfinite(at_run_time(-inf)));
  CHECK(math::isinf(at_run_time(-inf)));
  CHECK_FALSE(math::isinf(at_run_time(nan)));
  static_assert(math::isfinite(3) && !math::isinf(-3) && math::isfinite(true) && !math::isinf(std::uint8_t(255)));
}

// As NumPy's bitwise_and, left_shift and so on say of the same integers.
TEST_CASE_TEMPLATE("math: the bits of integers", T, std::int32_t, std::int64_t) {
  constexpr int width = 8 * sizeof(T);
  constexpr T min = lowest<T>, max = highest<T>;
  static_assert(math::bitwise_and(T(12), T(10)) == 8 && math::bitwise_or(T(12), T(10)) == 14);
  static_assert(math::bitwise_xor(T(12), T(10)) == 6 && math::bitwise_not(T(12)) == -13);
  static_assert(math::bitwise_and(T(-1), max) == max && math::bitwise_xor(T(-1), max) == min);
  static_assert(math::left_shift(T(3), T(4)) == 48 && math::left_shift(T(-3), T(2)) == -12);
  static_assert(math::left_shift(T(1), T(width - 1)) == min && math::left_shift(max, T(1)) == -2);
  static_assert(math::left_shift(T(1), T(width)) == 0 && math::left_shift(T(-5), T(-1)) == 0);
  static_assert(math::left_shift(T(-5), min) == 0 && math::left_shift(T(-5), max) == 0 && math::left_shift(T(0), T(0)) == 0);
  static_assert(math::right_shift(T(48), T(4)) == 3 && math::right_shift(T(-13), T(2)) == -4);
  static_assert(math::right_shift(min, T(width - 1)) == -1 && math::right_shift(max, T(width - 1)) == 0);
  static_assert(math::right_shift(T(-13), T(width)) == -1 && math::right_shift(T(13), T(width)) == 0);
  static_assert(math::right_shift(T(-13), T(-1)) == -1 && math::right_shift(T(13), min) == 0);
  CHECK(math::left_shift(at_run_time(T(-3)), at_run_time(T(2))) == -12);
  CHECK(math::left_shift(at_run_time(T(7)), at_run_time(T(width))) == 0);
  CHECK(math::right_shift(at_run_time(T(-13)), at_run_time(T(width + 5))) == -1);
  CHECK(math::right_shift(at_run_time(T(-13)), at_run_time(T(1))) == -7);
}

TEST_CASE("math: the bits of bytes and bools") {
  using T = std::uint8_t;
  static_assert(math::bitwise_not(T(12)) == 243 && math::bitwise_xor(T(255), T(15)) == 240);
  static_assert(math::left_shift(T(200), T(1)) == 144 && math::left_shift(T(1), T(7)) == 128);
  static_assert(math::left_shift(T(1), T(8)) == 0 && math::left_shift(T(1), T(255)) == 0);
  static_assert(math::right_shift(T(200), T(3)) == 25 && math::right_shift(T(200), T(8)) == 0);
  static_assert(std::is_same_v<decltype(math::left_shift(T(1), T(1))), T>);
  static_assert(math::bitwise_not(false) && !math::bitwise_not(true) && math::bitwise_xor(true, false));
  static_assert(!math::bitwise_and(true, false) && math::bitwise_or(true, false) && !math::bitwise_xor(true, true));
}
