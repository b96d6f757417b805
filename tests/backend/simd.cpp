// SPDX-License-Identifier: MIT
#include "batches.hpp"

/// Arithmetic, comparisons, exponentials and the memory side of batches.
using namespace batches;

TEST_CASE_TEMPLATE("simd: exp, log and their kin are right everywhere", T, float, double) {
  const double bound = sizeof(T) == 4 ? 2 : 4;
  const auto x = arguments<T>(T(-20), T(20));
  check_within(bound, x, BATCH(exp), SCALAR(std::exp(v)));
  check_within(bound, x, BATCH(expm1), SCALAR(std::expm1(v)));
  check_within(bound, x, BATCH(log), SCALAR(std::log(v)));
  check_within(bound, x, BATCH(log1p), SCALAR(std::log1p(v)));
  check_within(bound, x, BATCH(tanh), SCALAR(std::tanh(v)));
  check_within(bound, x, BATCH(sigmoid), SCALAR(1 / (1 + std::exp(-v))));
  check_within(bound, x, BATCH(erf), SCALAR(std::erf(v)));
  const auto near = arguments<T>(T(-1.5), T(1.5));
  check_within(bound, near, BATCH(expm1), SCALAR(std::expm1(v)));
  check_within(bound, near, BATCH(log), SCALAR(std::log(v)));
  check_within(bound, near, BATCH(log1p), SCALAR(std::log1p(v)));
  check_within(bound, near, BATCH(tanh), SCALAR(std::tanh(v)));
  check_within(bound, near, BATCH(sigmoid), SCALAR(1 / (1 + std::exp(-v))));
  check_within(bound, near, BATCH(erf), SCALAR(std::erf(v)));
  // Where exp becomes subnormal, then 0.
  const auto low = sizeof(T) == 4 ? arguments<T>(T(-105), T(-80)) : arguments<T>(T(-750), T(-700));
  check_within(bound, low, BATCH(exp), SCALAR(std::exp(v)));
  check_within(bound, low, BATCH(sigmoid), SCALAR(1 / (1 + std::exp(-v))));
}

TEST_CASE_TEMPLATE("simd: sin and cos are right for small and for huge arguments", T, float, double) {
  const double bound = sizeof(T) == 4 ? 2 : 4;
  for (const T size : {T(1), T(10), T(1e4), T(2e5)}) {
    const auto x = arguments<T>(-size, size);
    check_within(bound, x, BATCH(sin), SCALAR(std::sin(v)));
    check_within(bound, x, BATCH(cos), SCALAR(std::cos(v)));
  }
  // Next to multiples of pi / 2, where the result is small or flat.
  std::vector<T> x;
  for (int n = -6400; n <= 6400; ++n) {
    const T middle = static_cast<T>(n * 1.57079632679489661923L);
    for (int step = -2; step <= 2; ++step)
      x.push_back(from_bits<T>(static_cast<word<T>>(bits(middle) + static_cast<word<T>>(step))));
  }
  for (T& v : x)
    if (!(std::fabs(v) < T(1e5))) v = 0;
  check_within(bound, x, BATCH(sin), SCALAR(std::sin(v)));
  check_within(bound, x, BATCH(cos), SCALAR(std::cos(v)));
  CHECK(cpu::detail::vector_of(math::cos(batch<T>(T(0))))[0] == T(1));
}

TEST_CASE_TEMPLATE("simd: odd functions are odd to the bit, zero included", T, float, double) {
  check_odd<T>(BATCH(sin));
  check_odd<T>(BATCH(tanh));
  check_odd<T>(BATCH(erf));
  check_odd<T>(BATCH(sign));
  for (const T zero : {T(0), T(-0.0)}) {
    const std::vector<T> x(3, zero);
    CHECK(bits(map(BATCH(expm1), x)[0]) == bits(zero));
    CHECK(bits(map(BATCH(log1p), x)[0]) == bits(zero));
    CHECK(bits(map(BATCH(sqrt), x)[0]) == bits(zero));
  }
}

TEST_CASE_TEMPLATE("simd: rounding, sign and roots are exact", T, float, double) {
  const auto x = arguments<T>(T(-10), T(10));
  check_exactly(x, BATCH(floor), SCALAR(std::floor(v)));
  check_exactly(x, BATCH(ceil), SCALAR(std::ceil(v)));
  check_exactly(x, BATCH(trunc), SCALAR(std::trunc(v)));
  check_exactly(x, BATCH(round), SCALAR(std::nearbyint(v)));
  check_exactly(x, BATCH(abs), SCALAR(std::fabs(v)));
  check_exactly(x, BATCH(negative), SCALAR(-v));
  check_exactly(x, BATCH(sqrt), SCALAR(std::sqrt(v)));
  check_exactly(x, BATCH(rsqrt), SCALAR(1 / std::sqrt(v)));
  check_exactly(x, BATCH(sign), SCALAR(v > 0 ? 1 : v < 0 ? -1 : v));
  const std::vector<T> halves{T(0.5), T(1.5), T(2.5), T(-0.5), T(-1.5), T(-2.5), T(8388607.5), T(4503599627370495.5)};
  check_exactly(halves, BATCH(round), SCALAR(std::nearbyint(v)));
}

namespace {

template <class T>
double worst_power(const std::vector<T>& a, const std::vector<T>& b) {
  const auto y = map(BATCH2(pow), a, b);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = distance<T>(y[i], std::pow(static_cast<wide<T>>(a[i]), static_cast<wide<T>>(b[i])));
    if (d > worst) {
      worst = d;
      CAPTURE(a[i]);
      CAPTURE(b[i]);
      CAPTURE(y[i]);
      CHECK(d <= 4);
    }
  }
  return worst;
}

}  // namespace

TEST_CASE_TEMPLATE("simd: pow has the special cases of C, and 4 ulps elsewhere", T, float, double) {
  std::vector<T> a, b;
  special_pairs(a, b);
  const auto y = map(BATCH2(pow), a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T expected = std::pow(a[i], b[i]);
    CAPTURE(a[i]);
    CAPTURE(b[i]);
    CAPTURE(y[i]);
    if (std::isnan(expected)) {
      CHECK(std::isnan(y[i]));
    } else {
      CHECK(distance<T>(y[i], std::pow(static_cast<wide<T>>(a[i]), static_cast<wide<T>>(b[i]))) <= 4);
      CHECK(std::signbit(y[i]) == std::signbit(expected));
    }
  }
  std::mt19937_64 random(11);
  const auto fill = [&](std::vector<T>& v, T low, T high, bool logarithmic) {
    std::uniform_real_distribution<T> between(low, high);
    v.resize(20000);
    for (T& x : v) x = logarithmic ? std::exp2(between(random)) : between(random);
  };
  const T top = static_cast<T>(std::numeric_limits<T>::max_exponent - 2);
  fill(a, T(0.1), T(10), false);
  fill(b, T(-10), T(10), false);
  CHECK(worst_power(a, b) <= 2);
  fill(a, T(0.7), T(1.4), false);
  fill(b, T(-300), T(300), false);
  CHECK(worst_power(a, b) <= 2);
  fill(a, -top, top, true);
  fill(b, T(-1.5), T(1.5), false);
  CHECK(worst_power(a, b) <= 2);
}

TEST_CASE_TEMPLATE("simd: maximum, minimum and comparisons know NaN", T, float, double) {
  std::vector<T> a, b;
  special_pairs(a, b);
  const auto larger = map(BATCH2(maximum), a, b), smaller = map(BATCH2(minimum), a, b);
  const auto as_number = [](const auto& m) { return cpu::from_mask(m); };
  const auto equal = map([&](const auto& x, const auto& y) { return as_number(math::equal(x, y)); }, a, b);
  const auto not_equal = map([&](const auto& x, const auto& y) { return as_number(math::not_equal(x, y)); }, a, b);
  const auto less = map([&](const auto& x, const auto& y) { return as_number(math::less(x, y)); }, a, b);
  const auto less_equal = map([&](const auto& x, const auto& y) { return as_number(math::less_equal(x, y)); }, a, b);
  const auto greater = map([&](const auto& x, const auto& y) { return as_number(math::greater(x, y)); }, a, b);
  const auto greater_equal = map([&](const auto& x, const auto& y) { return as_number(math::greater_equal(x, y)); }, a, b);
  const auto chosen = map([](const auto& x, const auto& y) { return math::select(math::less(x, y), y, x); }, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(a[i]);
    CAPTURE(b[i]);
    const bool unordered = std::isnan(a[i]) || std::isnan(b[i]);
    CHECK(std::isnan(larger[i]) == unordered);
    CHECK(std::isnan(smaller[i]) == unordered);
    if (!unordered) {
      CHECK(larger[i] == std::max(a[i], b[i]));
      CHECK(smaller[i] == std::min(a[i], b[i]));
    }
    CHECK(equal[i] == T(a[i] == b[i]));
    CHECK(not_equal[i] == T(a[i] != b[i]));
    CHECK(less[i] == T(a[i] < b[i]));
    CHECK(less_equal[i] == T(a[i] <= b[i]));
    CHECK(greater[i] == T(a[i] > b[i]));
    CHECK(greater_equal[i] == T(a[i] >= b[i]));
    CHECK(bits(chosen[i]) == bits(a[i] < b[i] ? b[i] : a[i]));
  }
}

TEST_CASE_TEMPLATE("simd: floor_divide and remainder of floats are those of numbers", T, float, double) {
  std::vector<T> a, b;
  special_pairs(a, b);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<T> between(T(-100), T(100)), exponent(T(-30), T(30));
  for (int i = 0; i < 20000; ++i) {
    a.push_back(i % 3 == 0 ? std::round(between(random)) : between(random) * std::exp2(exponent(random)));
    b.push_back(i % 3 == 0 ? std::round(between(random) / 10) : between(random));
  }
  for (const T x : {T(1), T(-1), T(5), T(-5)})
    for (const T y : {T(0.1), T(-0.1), T(0.2), T(-0.2)}) {
      a.push_back(x);
      b.push_back(y);
    }
  const auto quotient = map(BATCH2(floor_divide), a, b), rest = map(BATCH2(remainder), a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(a[i]);
    CAPTURE(b[i]);
    const T expected = math::remainder(a[i], b[i]);
    if (std::isnan(expected))
      CHECK(std::isnan(rest[i]));
    else
      CHECK(bits(rest[i]) == bits(expected));
    const T number = math::floor_divide(a[i], b[i]);
    if (!std::isfinite(number))
      CHECK(distance<T>(quotient[i], number) <= 1);
    else if (std::fabs(number) < 1000)
      CHECK(quotient[i] == number);
    else
      CHECK(distance<T>(quotient[i], number) <= 2);
  }
}

TEST_CASE_TEMPLATE("simd: integers are those of numbers", T, std::int32_t, std::int64_t) {
  using limits = std::numeric_limits<T>;
  std::vector<T> a, b;
  std::vector<T> values{0, 1, -1, 2, -2, 3, -3, 7, -7, 10, 100, -100, limits::max(), limits::min(), limits::min() + 1};
  std::mt19937_64 random(3);
  for (int i = 0; i < 40; ++i) values.push_back(static_cast<T>(random() >> (i % (8 * static_cast<int>(sizeof(T))))));
  for (const T x : values)
    for (const T y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  const auto check = [&](const auto& f) {
    const auto results = map(f, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      CAPTURE(a[i]);
      CAPTURE(b[i]);
      CHECK(results[i] == f(a[i], b[i]));
    }
  };
  check(BATCH2(floor_divide));
  check(BATCH2(remainder));
  check(BATCH2(pow));
  check(BATCH2(maximum));
  check(BATCH2(minimum));
  check([](const auto& v, const auto&) { return math::abs(v); });
  check([](const auto& v, const auto&) { return math::sign(v); });
  check([](const auto& v, const auto&) { return math::negative(v); });
  check([](const auto& v, const auto& w) { return math::fma(v, w, v); });
  check([](const auto& v, const auto& w) { return math::select(math::equal(v, w), v, w); });
  check([](const auto& v, const auto& w) { return math::select(math::not_equal(v, w), v, w); });
  check([](const auto& v, const auto& w) { return math::select(math::less(v, w), v, w); });
  check([](const auto& v, const auto& w) { return math::select(math::less_equal(v, w), v, w); });
  check([](const auto& v, const auto& w) { return math::select(math::greater(v, w), v, w); });
  check([](const auto& v, const auto& w) { return math::select(math::greater_equal(v, w), v, w); });
}

TEST_CASE_TEMPLATE("simd: loads and stores keep to their lanes", T, float, double, std::int32_t, std::int64_t) {
  constexpr int n = lanes<T>;
  T from[3 * n], to[3 * n];
  for (int i = 0; i < 3 * n; ++i) from[i] = static_cast<T>(i + 1);
  for (int count = 0; count <= n; ++count) {
    CAPTURE(count);
    T whole[n];
    cpu::store(whole, cpu::load_partial(from + 1, count));
    for (int i = 0; i < n; ++i) CHECK(whole[i] == (i < count ? from[i + 1] : T(0)));
    for (T& x : to) x = T(-1);
    cpu::store_partial(to + 1, cpu::load(from), count);
    for (int i = 0; i < 3 * n; ++i) CHECK(to[i] == (i >= 1 && i <= count ? from[i - 1] : T(-1)));
    for (const int stride : {-2, -1, 0, 1, 2}) {
      const T* first = stride < 0 ? from + 3 * n - 1 : from;
      cpu::store(whole, cpu::load_strided_partial(first, stride, count));
      for (int i = 0; i < n; ++i) CHECK(whole[i] == (i < count ? first[i * stride] : T(0)));
      if (stride == 0) continue;
      for (T& x : to) x = T(-1);
      T* const target = stride < 0 ? to + 3 * n - 1 : to;
      cpu::store_strided_partial(target, stride, cpu::load(from), count);
      for (int i = 0; i < count; ++i) CHECK(target[i * stride] == from[i]);
      int untouched = 0;
      for (const T x : to) untouched += x == T(-1);
      CHECK(untouched == 3 * n - count);
    }
  }
  T whole[n];
  cpu::store(whole, cpu::load_strided(from + 1, 2));
  for (int i = 0; i < n; ++i) CHECK(whole[i] == from[1 + 2 * i]);
  for (T& x : to) x = T(-1);
  cpu::store_strided(to + 1, 2, cpu::load(from));
  for (int i = 0; i < 3 * n; ++i) CHECK(to[i] == (i % 2 == 1 && i / 2 < n ? from[i / 2] : T(-1)));
}

TEST_CASE_TEMPLATE("simd: masks from bools and back", T, float, double, std::int32_t, std::int64_t) {
  constexpr int n = lanes<T>;
  std::mt19937 random(2);
  for (int turn = 0; turn < 50; ++turn) {
    bool from[n + 2], to[n + 2];
    for (bool& x : from) x = random() % 2 == 0;
    const auto m = cpu::load_mask<T>(from + 1);
    T numbers[n];
    cpu::store(numbers, cpu::from_mask(m));
    for (int i = 0; i < n; ++i) CHECK(numbers[i] == T(from[i + 1]));
    for (bool& x : to) x = true;
    cpu::store_mask(to + 1, cpu::logical_not(m));
    CHECK(to[0]);
    CHECK(to[n + 1]);
    for (int i = 0; i < n; ++i) CHECK(to[i + 1] == !from[i + 1]);
    for (int count = 0; count <= n; ++count) {
      CAPTURE(count);
      cpu::store(numbers, cpu::from_mask(cpu::load_mask_partial<T>(from + 1, count)));
      for (int i = 0; i < n; ++i) CHECK(numbers[i] == T(i < count && from[i + 1]));
      for (bool& x : to) x = false;
      cpu::store_mask_partial(to + 1, cpu::logical_or(m, cpu::logical_not(m)), count);
      for (int i = 0; i < n + 2; ++i) CHECK(to[i] == (i >= 1 && i <= count));
    }
    bool other[n];
    for (bool& x : other) x = random() % 2 == 0;
    const auto o = cpu::load_mask<T>(other);
    const auto check = [&](const auto& result, auto rule) {
      bool values[n];
      cpu::store_mask(values, result);
      bool all = true, any = false;
      for (int i = 0; i < n; ++i) {
        CHECK(values[i] == rule(from[i + 1], other[i]));
        all = all && values[i];
        any = any || values[i];
      }
      CHECK(cpu::all(result) == all);
      CHECK(cpu::any(result) == any);
    };
    check(cpu::logical_and(m, o), [](bool a, bool b) { return a && b; });
    check(cpu::logical_or(m, o), [](bool a, bool b) { return a || b; });
    check(cpu::logical_xor(m, o), [](bool a, bool b) { return a != b; });
    check(cpu::logical_xor(m, m), [](bool, bool) { return false; });
    check(cpu::logical_not(cpu::logical_xor(m, m)), [](bool, bool) { return true; });
    using other_type = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_integral_v<T>, float, std::int32_t>,
                                          std::conditional_t<std::is_integral_v<T>, double, std::int64_t>>;
    check(cpu::mask_cast<T>(cpu::mask_cast<other_type>(m)), [](bool a, bool) { return a; });
    check(cpu::to_mask(cpu::from_mask(cpu::mask_cast<other_type>(m))), [](bool a, bool) { return a; });
  }
  if constexpr (std::is_floating_point_v<T>) {
    CHECK(cpu::all(cpu::to_mask(batch<T>(not_a_number<T>))));
    CHECK(!cpu::any(cpu::to_mask(batch<T>(T(-0.0)))));
  }
}

/// Byte: of one sign or of both.
template <class T, class Byte>
void check_widened() {
  constexpr int n = lanes<T>;
  Byte from[n + 2];
  for (int i = 0; i < n + 2; ++i) from[i] = static_cast<Byte>(i % 5 == 3 ? 128 + i : 255 - 9 * i);
  T numbers[n];
  cpu::store(numbers, cpu::load_widened<T>(from + 1));
  for (int i = 0; i < n; ++i) CHECK(numbers[i] == T(from[i + 1]));
  for (int count = 0; count <= n; ++count) {
    CAPTURE(count);
    cpu::store(numbers, cpu::load_widened<T>(from + 1, count));
    for (int i = 0; i < n; ++i) CHECK(numbers[i] == T(i < count ? from[i + 1] : 0));
  }
}
TEST_CASE_TEMPLATE("simd: bytes become wider numbers", T, float, double, std::int32_t, std::int64_t) {
  check_widened<T, std::uint8_t>();
  check_widened<T, std::int8_t>();
}

TEST_CASE_TEMPLATE("simd: of unsigned integers the first bit is no sign", T, std::uint32_t, std::uint64_t) {
  const T large = std::numeric_limits<T>::max() - T(3);
  const batch<T> a(large), b(T(5));
  CHECK(cpu::simd::maximum(a, b).get(0) == large);
  CHECK(cpu::simd::minimum(a, b).get(0) == T(5));
  CHECK(cpu::simd::abs(a).get(0) == large);
}

TEST_CASE_TEMPLATE("simd: counts are those that are converted one by one", T, float, double, std::int32_t, std::int64_t) {
  constexpr auto to_the_power = [](int n) { return std::int64_t{1} << n; };
  int wrong = 0;
  for (const int power : {0, 8, 23, 24, 25, 30, 31, 32, 40, 46})
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{-1}, std::int64_t{3}, std::int64_t{-1000003},
                                    to_the_power(23) + 1, to_the_power(29), to_the_power(40) + 12345, -to_the_power(40) - 54321})
      for (std::int64_t near = -70; near < 70; near += 3) {
        const std::int64_t first = to_the_power(power) + near;
        T numbers[lanes<T>];
        cpu::store(numbers, cpu::counts<T>(first, step));
        for (int i = 0; i < lanes<T>; ++i) wrong += numbers[i] != static_cast<T>(first + i * step);
        cpu::store(numbers, cpu::counts<T>(-first, step));
        for (int i = 0; i < lanes<T>; ++i) wrong += numbers[i] != static_cast<T>(-first + i * step);
      }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("simd: across the lanes", T, float, double, std::int32_t, std::int64_t) {
  const auto added = [](const auto& a, const auto& b) { return etch::math::add(a, b); };
  const auto multiplied = [](const auto& a, const auto& b) { return etch::math::multiply(a, b); };
  const auto larger = [](const auto& a, const auto& b) { return etch::math::maximum(a, b); };
  const auto smaller = [](const auto& a, const auto& b) { return etch::math::minimum(a, b); };
  constexpr int n = lanes<T>;
  T numbers[n];
  cpu::store(numbers, cpu::iota<T>());
  for (int i = 0; i < n; ++i) CHECK(numbers[i] == T(i));
  std::mt19937 random(9);
  for (int turn = 0; turn < 100; ++turn) {
    T sum[n], product[n];
    T largest = std::numeric_limits<T>::lowest(), smallest = std::numeric_limits<T>::max();
    for (int i = 0; i < n; ++i) {
      numbers[i] = static_cast<T>(static_cast<int>(random() % 7) - 3) + (std::is_integral_v<T> ? T(0) : T(0.1));
      sum[i] = product[i] = numbers[i];
      largest = std::max(largest, numbers[i]);
      smallest = std::min(smallest, numbers[i]);
    }
    for (int half = n / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) {
        sum[i] += sum[i + half];
        product[i] *= product[i + half];
      }
    const batch<T> x = cpu::load(numbers);
    CHECK(cpu::fold_lanes(x, added) == sum[0]);
    CHECK(cpu::fold_lanes(x, multiplied) == product[0]);
    CHECK(cpu::fold_lanes(x, larger) == largest);
    CHECK(cpu::fold_lanes(x, smaller) == smallest);
    if constexpr (std::is_floating_point_v<T>) {
      numbers[turn % n] = not_a_number<T>;
      CHECK(std::isnan(cpu::fold_lanes(cpu::load(numbers), larger)));
      CHECK(std::isnan(cpu::fold_lanes(cpu::load(numbers), smaller)));
    }
  }
}

TEST_CASE_TEMPLATE("simd: conversions between integers and floats of one width", T, float, double) {
  using I = cpu::detail::integer_like<T>;
  std::mt19937_64 random(4);
  std::vector<I> integers{0, 1, -1, std::numeric_limits<I>::max(), std::numeric_limits<I>::min()};
  std::vector<T> floats{T(0), T(-0.0), T(0.9), T(-0.9), T(1.5), T(-1.5), T(-2147483648.0), T(4294967296.5)};
  if (sizeof(T) == 4) floats.pop_back();
  const T limit = std::ldexp(T(1), 8 * static_cast<int>(sizeof(T)) - 1);
  floats.push_back(std::nextafter(limit, T(0)));
  floats.push_back(-limit);
  for (int i = 0; i < 5000; ++i) {
    const int shift = static_cast<int>(random() % (8 * sizeof(T)));
    integers.push_back(static_cast<I>(static_cast<I>(random()) >> shift));
    floats.push_back(std::nextafter(static_cast<T>(integers.back()) / 3, T(0)));
  }
  for (std::size_t i = 0; i < integers.size(); i += lanes<T>) {
    const int count = static_cast<int>(std::min<std::size_t>(lanes<T>, integers.size() - i));
    T results[lanes<T>];
    cpu::store(results, cpu::convert_to<T>(cpu::load_partial(&integers[i], count)));
    for (int k = 0; k < count; ++k) CHECK(results[k] == static_cast<T>(integers[i + static_cast<std::size_t>(k)]));
  }
  for (std::size_t i = 0; i < floats.size(); i += lanes<T>) {
    const int count = static_cast<int>(std::min<std::size_t>(lanes<T>, floats.size() - i));
    I results[lanes<T>];
    cpu::store(results, cpu::convert_to<I>(cpu::load_partial(&floats[i], count)));
    for (int k = 0; k < count; ++k) CHECK(results[k] == static_cast<I>(floats[i + static_cast<std::size_t>(k)]));
  }
}

TEST_CASE_TEMPLATE("simd: a result depends on its argument, not on its lane or its neighbours", T, float, double) {
  constexpr int n = lanes<T>;
  const T neighbours[] = {T(0), not_a_number<T>, infinity<T>, T(-1e30), T(1e-40)};
  const auto check = [&](const auto& f) {
    for (const T x : {T(0.3), T(-1.7), T(12.5), T(-80.1), T(3e5)}) {
      T expected[n];
      cpu::store(expected, f(batch<T>(x)));
      for (int lane = 0; lane < n; ++lane)
        for (const T other : neighbours) {
          T values[n], results[n];
          for (T& v : values) v = other;
          values[lane] = x;
          cpu::store(results, f(cpu::load(values)));
          REQUIRE(bits(results[lane]) == bits(expected[0]));
          cpu::store(results, f(cpu::load_partial(values, lane + 1)));
          REQUIRE(bits(results[lane]) == bits(expected[0]));
        }
    }
  };
  check(BATCH(exp));
  check(BATCH(expm1));
  check(BATCH(log));
  check(BATCH(log1p));
  check(BATCH(sin));
  check(BATCH(cos));
  check(BATCH(tanh));
  check(BATCH(sigmoid));
  check(BATCH(erf));
  check(BATCH(rsqrt));
  check([](const auto& x) { return math::pow(math::abs(x), x); });
  check([](const auto& x) { return math::remainder(x, batch<T>(T(0.7))); });
}
