// SPDX-License-Identifier: MIT
#include "batches.hpp"

/// Elementary functions of batches over the whole range: within 2 units in the last place (less where simd/ promises less),
/// exact where the result is a short number, and with the special values of ISO C, annex F.10.
using namespace batches;

namespace {

/// Numbers of each exponent and both signs.
template <class T>
void append_every_exponent(std::vector<T>& x) {
  constexpr int mantissa = std::numeric_limits<T>::digits - 1, exponents = sizeof(T) == 4 ? 256 : 2048;
  constexpr int each = sizeof(T) == 4 ? 160 : 24;
  std::mt19937_64 random(17);
  for (int e = 0; e < exponents; ++e)
    for (int i = 0; i < each; ++i) {
      const word<T> fraction = static_cast<word<T>>(random() >> (64 - mantissa));
      const word<T> sign = static_cast<word<T>>(random() & 1) << (8 * sizeof(T) - 1);
      x.push_back(from_bits<T>(fraction | static_cast<word<T>>(e) << mantissa | sign));
    }
}

/// These numbers and those next to them.
template <class T>
void append_edges(std::vector<T>& x, std::initializer_list<double> edges) {
  for (const double edge : edges)
    for (int step = -3; step <= 3; ++step)
      x.push_back(from_bits<T>(static_cast<word<T>>(bits(static_cast<T>(edge)) + static_cast<word<T>>(step))));
}

struct interval {
  double low, high;
};

template <class T>
std::vector<T> arguments_everywhere(std::initializer_list<interval> intervals, std::initializer_list<double> edges) {
  std::vector<T> x = special_values<T>();
  append_every_exponent(x);
  append_edges(x, edges);
  std::mt19937_64 random(19);
  for (const auto [low, high] : intervals) {
    std::uniform_real_distribution<double> between(low, high);
    for (int i = 0; i < 40000; ++i) x.push_back(static_cast<T>(between(random)));
  }
  return x;
}

/// As `distance`; infinite where the signs differ, that of zero included.
template <class T>
double signed_distance(T result, wide<T> exact) {
  const bool same_sign = std::isnan(exact) || std::signbit(result) == std::signbit(exact);
  return same_sign ? distance<T>(result, exact) : infinity<double>;
}

template <class T, class F, class Exact>
void check_right(double bound, const std::vector<T>& x, const F& f, const Exact& exact) {
  const std::vector<T> y = map(f, x);
  double worst = -1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = signed_distance<T>(y[i], exact(static_cast<wide<T>>(x[i])));
    if (d > worst) {
      worst = d;
      at = i;
    }
  }
  CAPTURE(x[at]);
  CAPTURE(y[at]);
  CHECK(worst <= bound);
}

/// f at each of the numbers is the one beside it, to the bit, and wherever in a batch it lies.
template <class T, class F>
void check_values(const F& f, std::initializer_list<std::pair<T, T>> values) {
  std::vector<T> x, expected;
  for (int repeated = 0; repeated < 3; ++repeated)
    for (const auto& [argument, result] : values) {
      x.push_back(argument);
      expected.push_back(result);
    }
  const std::vector<T> y = map(f, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool equal = std::isnan(expected[i]) ? std::isnan(y[i]) : bits(y[i]) == bits(expected[i]);
    CAPTURE(x[i]);
    CAPTURE(y[i]);
    CHECK(equal);
  }
}

constexpr double half_turn = 3.14159265358979323846;

}  // namespace

TEST_CASE_TEMPLATE("simd: exp2, log2, log10 and cbrt are right everywhere", T, float, double) {
  const bool is_float = sizeof(T) == 4;
  const auto x = is_float ? arguments_everywhere<T>({{-3, 3}, {-150, -120}, {-150, 128}}, {-150, -149.5, -126, 127.5, 128})
                          : arguments_everywhere<T>({{-3, 3}, {-1076, -1020}, {-1080, 1030}}, {-1075, -1074.5, -1022, 1024});
  check_right(2, x, BATCH(exp2), SCALAR(std::exp2(v)));
  const auto positive = arguments_everywhere<T>({{0, 2}, {0.7, 1.5}, {0.99, 1.01}}, {0.75, 1, 1.5});
  check_right(2, positive, BATCH(log2), SCALAR(std::log2(v)));
  check_right(2, positive, BATCH(log10), SCALAR(std::log10(v)));
  const auto all = arguments_everywhere<T>({{-9, 9}, {0.3, 1.6}}, {0.375, 0.75, 1.5, 3, 8, -27});
  check_right(0.51, all, BATCH(cbrt), SCALAR(std::cbrt(v)));
}

TEST_CASE_TEMPLATE("simd: tan is right for small and for huge arguments", T, float, double) {
  auto x = arguments_everywhere<T>({{-2, 2}, {-100, 100}, {-1e4, 1e4}, {-2e5, 2e5}}, {half_turn / 4, half_turn / 2, 12000, 1e5});
  for (int n = -6400; n <= 6400; ++n) append_edges(x, {n * (half_turn / 4)});
  for (int n = 20000; n <= 64000; n += 11) append_edges(x, {n * (half_turn / 2)});
  check_right(2, x, BATCH(tan), SCALAR(std::tan(v)));
}

TEST_CASE_TEMPLATE("simd: inverse trigonometric functions are right everywhere", T, float, double) {
  const auto x = arguments_everywhere<T>({{-1, 1}, {-0.6, -0.4}, {0.99, 1}}, {-1, -0.5, 0.5, 1});
  check_right(2, x, BATCH(asin), SCALAR(std::asin(v)));
  check_right(2, x, BATCH(acos), SCALAR(std::acos(v)));
  const auto all = arguments_everywhere<T>({{-4, 4}, {0.4, 2.1}}, {-2, -1, -0.5, 0.5, 1, 2});
  check_right(1, all, BATCH(atan), SCALAR(std::atan(v)));
}

TEST_CASE_TEMPLATE("simd: hyperbolic functions and their inverses are right everywhere", T, float, double) {
  const double top = sizeof(T) == 4 ? 89.5 : 711;
  const auto x = arguments_everywhere<T>({{-2, 2}, {-25, 25}, {-top, top}}, {0.34657359, 1.03972077, 89.416, 710.4758600739439});
  check_right(2, x, BATCH(sinh), SCALAR(std::sinh(v)));
  check_right(2, x, BATCH(cosh), SCALAR(std::cosh(v)));
  const auto all = arguments_everywhere<T>({{-4, 4}, {-0.3, 0.3}}, {16384, 0x1p30});
  check_right(2, all, BATCH(asinh), SCALAR(std::asinh(v)));
  const auto from_one = arguments_everywhere<T>({{1, 4}, {1, 1.1}, {0.9, 1.001}}, {1, 16384, 0x1p30});
  check_right(2, from_one, BATCH(acosh), SCALAR(std::acosh(v)));
  const auto to_one = arguments_everywhere<T>({{-1, 1}, {-0.3, 0.3}, {0.99, 1}}, {-1, 0.5, 1});
  check_right(2, to_one, BATCH(atanh), SCALAR(std::atanh(v)));
}

TEST_CASE_TEMPLATE("simd: odd functions of all kinds are odd to the bit, cosh is even", T, float, double) {
  check_odd<T>(BATCH(cbrt));
  check_odd<T>(BATCH(tan));
  check_odd<T>(BATCH(asin));
  check_odd<T>(BATCH(atan));
  check_odd<T>(BATCH(sinh));
  check_odd<T>(BATCH(asinh));
  check_odd<T>(BATCH(atanh));
  const auto x = arguments<T>(T(-5), T(5));
  std::vector<T> minus_x;
  for (const T v : x) minus_x.push_back(-v);
  const auto y = map(BATCH(cosh), x), minus_y = map(BATCH(cosh), minus_x);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isnan(x[i])) REQUIRE(bits(y[i]) == bits(minus_y[i]));
}

TEST_CASE_TEMPLATE("simd: powers and roots that are short numbers are exact", T, float, double) {
  const auto check = [](const auto& f, T x, T result) { check_values<T>(f, {{x, result}}); };
  using limits = std::numeric_limits<T>;
  for (int n = limits::min_exponent - limits::digits; n < limits::max_exponent; ++n) {
    check(BATCH(log2), std::ldexp(T(1), n), static_cast<T>(n));
    check(BATCH(exp2), static_cast<T>(n), std::ldexp(T(1), n));
  }
  T ten = 1;
  for (int n = 0; n <= (sizeof(T) == 4 ? 10 : 22); ++n, ten *= 10) check(BATCH(log10), ten, static_cast<T>(n));
  for (int n = -200; n <= 200; ++n) check(BATCH(cbrt), static_cast<T>(n * n * n), static_cast<T>(n));
  std::vector<T> a, b;
  for (int n = 1; n < 500; ++n) {
    a.push_back(static_cast<T>(3 * n));
    b.push_back(static_cast<T>(-4 * n));
  }
  const auto c = map(BATCH2(hypot), a, b);
  for (std::size_t i = 0; i < c.size(); ++i) CHECK(c[i] == static_cast<T>(5 * (i + 1)));
}

TEST_CASE_TEMPLATE("simd: elementary functions have the special values of C", T, float, double) {
  using limits = std::numeric_limits<T>;
  constexpr T inf = infinity<T>, nan = not_a_number<T>, tiny = limits::denorm_min(), top = limits::max();
  constexpr T quarter_turn = static_cast<T>(half_turn / 2), minus = T(-0.0);
  constexpr T above_one = T(1) + limits::epsilon(), below_one = T(1) - limits::epsilon() / 2;
  check_values<T>(BATCH(exp2), {{0, 1}, {minus, 1}, {inf, inf}, {-inf, 0}, {top, inf}, {-top, 0}, {tiny, 1}, {nan, nan}});
  check_values<T>(BATCH(log2), {{0, -inf}, {minus, -inf}, {1, 0}, {-tiny, nan}, {-inf, nan}, {inf, inf}, {nan, nan}});
  check_values<T>(BATCH(log10), {{0, -inf}, {minus, -inf}, {1, 0}, {-tiny, nan}, {-inf, nan}, {inf, inf}, {nan, nan}});
  check_values<T>(BATCH(cbrt), {{0, 0}, {minus, minus}, {inf, inf}, {-inf, -inf}, {nan, nan}});
  check_values<T>(BATCH(tan), {{0, 0}, {minus, minus}, {tiny, tiny}, {-tiny, -tiny}, {inf, nan}, {-inf, nan}, {nan, nan}});
  check_values<T>(BATCH(asin), {{0, 0},
                                {minus, minus},
                                {1, quarter_turn},
                                {-1, -quarter_turn},
                                {above_one, nan},
                                {-2, nan},
                                {inf, nan},
                                {-inf, nan},
                                {tiny, tiny},
                                {nan, nan}});
  check_values<T>(BATCH(acos), {{1, 0},
                                {-1, static_cast<T>(half_turn)},
                                {0, quarter_turn},
                                {minus, quarter_turn},
                                {above_one, nan},
                                {-above_one, nan},
                                {inf, nan},
                                {-inf, nan},
                                {nan, nan}});
  check_values<T>(
      BATCH(atan),
      {{0, 0}, {minus, minus}, {inf, quarter_turn}, {-inf, -quarter_turn}, {top, quarter_turn}, {tiny, tiny}, {nan, nan}});
  check_values<T>(BATCH(sinh), {{0, 0}, {minus, minus}, {inf, inf}, {-inf, -inf}, {top, inf}, {-tiny, -tiny}, {nan, nan}});
  check_values<T>(BATCH(cosh), {{0, 1}, {minus, 1}, {inf, inf}, {-inf, inf}, {-top, inf}, {tiny, 1}, {nan, nan}});
  check_values<T>(BATCH(asinh), {{0, 0}, {minus, minus}, {inf, inf}, {-inf, -inf}, {tiny, tiny}, {nan, nan}});
  check_values<T>(BATCH(acosh), {{1, 0}, {below_one, nan}, {0, nan}, {-1, nan}, {-top, nan}, {-inf, nan}, {inf, inf}, {nan, nan}});
  check_values<T>(BATCH(atanh), {{0, 0},
                                 {minus, minus},
                                 {1, inf},
                                 {-1, -inf},
                                 {above_one, nan},
                                 {-2, nan},
                                 {inf, nan},
                                 {-inf, nan},
                                 {tiny, tiny},
                                 {nan, nan}});
}

namespace {

/// Both of all sizes, near each other, and far apart.
template <class T>
void varied_pairs(std::vector<T>& a, std::vector<T>& b) {
  special_pairs(a, b);
  std::mt19937_64 random(23);
  std::uniform_real_distribution<T> between(T(-3), T(3)), exponent(T(-40), T(40));
  std::vector<T> any;
  append_every_exponent(any);
  for (std::size_t i = 0; i < any.size(); ++i) {
    const T x = any[i], other = any[(i * 7919 + 13) % any.size()];
    for (const T y : {other, x * between(random), x + between(random)}) {
      a.push_back(x);
      b.push_back(y);
    }
    a.push_back(between(random));
    b.push_back(between(random));
    a.push_back(between(random));
    b.push_back(between(random) * std::exp2(exponent(random)));
  }
}

template <class T, class F, class Exact>
void check_pairs(double bound, const std::vector<T>& a, const std::vector<T>& b, const F& f, const Exact& exact) {
  const auto y = map(f, a, b);
  double worst = -1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = signed_distance<T>(y[i], exact(static_cast<wide<T>>(a[i]), static_cast<wide<T>>(b[i])));
    if (d > worst) {
      worst = d;
      at = i;
    }
  }
  CAPTURE(a[at]);
  CAPTURE(b[at]);
  CAPTURE(y[at]);
  CHECK(worst <= bound);
}

}  // namespace

TEST_CASE_TEMPLATE("simd: atan2 and hypot are right everywhere, with the special cases of C", T, float, double) {
  std::vector<T> a, b;
  varied_pairs(a, b);
  check_pairs<T>(2, a, b, BATCH2(atan2), [](auto y, auto x) { return std::atan2(y, x); });
  check_pairs<T>(2, a, b, BATCH2(hypot), [](auto x, auto y) { return std::hypot(x, y); });
}

TEST_CASE_TEMPLATE("simd: isfinite and isinf", T, float, double) {
  std::vector<T> x = special_values<T>();
  append_every_exponent(x);
  check_exactly(x, [](const auto& v) { return cpu::from_mask(math::isfinite(v)); }, SCALAR(std::isfinite(v)));
  check_exactly(x, [](const auto& v) { return cpu::from_mask(math::isinf(v)); }, SCALAR(std::isinf(v)));
}
