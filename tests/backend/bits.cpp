// SPDX-License-Identifier: MIT
#include "batches.hpp"

/// Bits of integers in batches, against what each bit of the result is.
using namespace batches;

namespace {

/// The integer whose bit i is bit(i).
template <class T, class F>
T of_bits(const F& bit) {
  word<T> result = 0;
  for (int i = 0; i < static_cast<int>(8 * sizeof(T)); ++i)
    if (bit(i)) result |= word<T>(1) << i;
  return static_cast<T>(result);
}

}  // namespace

TEST_CASE_TEMPLATE("simd: bits of integers", T, std::int32_t, std::int64_t) {
  using limits = std::numeric_limits<T>;
  constexpr int width = 8 * sizeof(T);
  std::vector<T> values{-1, -2, -7, 100, -width, limits::max(), limits::min(), T(1) << (width - 2)};
  for (T n = 0; n < 70; ++n) values.push_back(n);
  std::mt19937_64 random(29);
  for (int i = 0; i < 60; ++i) values.push_back(static_cast<T>(random() >> (64 - width)));
  std::vector<T> a, b;
  for (const T x : values)
    for (const T y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  const auto check = [&](const auto& f, const auto& bit) {
    const auto results = map(f, a, b);
    for (std::size_t k = 0; k < a.size(); ++k) {
      const T x = a[k], y = b[k];
      const bool equal = results[k] == of_bits<T>([&](int i) { return bit(x, y, i); });
      if (equal) continue;
      CAPTURE(x);
      CAPTURE(y);
      REQUIRE(equal);
    }
  };
  const auto has = [](T x, int i) { return (static_cast<word<T>>(x) >> i & 1) != 0; };
  check(BATCH2(bitwise_and), [&](T x, T y, int i) { return has(x, i) && has(y, i); });
  check(BATCH2(bitwise_or), [&](T x, T y, int i) { return has(x, i) || has(y, i); });
  check(BATCH2(bitwise_xor), [&](T x, T y, int i) { return has(x, i) != has(y, i); });
  check([](const auto& v, const auto&) { return math::bitwise_not(v); }, [&](T x, T, int i) { return !has(x, i); });
  // What comes from outside is 0 on the right, the sign on the left; a negative count shifts everything out.
  check(BATCH2(left_shift), [&](T x, T y, int i) { return y >= 0 && y <= i && has(x, i - static_cast<int>(y)); });
  check(BATCH2(right_shift), [&](T x, T y, int i) { return y >= 0 && y < width - i ? has(x, i + static_cast<int>(y)) : x < 0; });
  const auto finite = map([](const auto& v, const auto&) { return cpu::from_mask(math::isfinite(v)); }, a, b);
  const auto infinite = map([](const auto& v, const auto&) { return cpu::from_mask(math::isinf(v)); }, a, b);
  CHECK(finite == std::vector<T>(a.size(), 1));
  CHECK(infinite == std::vector<T>(a.size(), 0));
}

TEST_CASE_TEMPLATE("simd: masks are bits", T, float, double, std::int32_t, std::int64_t) {
  for (const bool p : {false, true})
    for (const bool q : {false, true}) {
      const auto mask = [](bool value) { return cpu::to_mask(batch<T>(T(value))); };
      const auto is = [](const cpu::mask<T>& m, bool value) { return value ? cpu::all<T>(m) : !cpu::any<T>(m); };
      CHECK(is(math::bitwise_and(mask(p), mask(q)), p && q));
      CHECK(is(math::bitwise_or(mask(p), mask(q)), p || q));
      CHECK(is(math::bitwise_xor(mask(p), mask(q)), p != q));
      CHECK(is(math::bitwise_not(mask(p)), !p));
      CHECK(is(math::isfinite(mask(p)), true));
      CHECK(is(math::isinf(mask(p)), false));
    }
}
