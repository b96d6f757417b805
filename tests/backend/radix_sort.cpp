// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <etch/backend/cpu/opaque/radix_sort.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

/// The radix sort orders words as `std::sort` does, and keys as the numbers that they stand for.
namespace {

using namespace etch::cpu::detail;

/// Words that are spread in several ways.
template <class Word>
std::vector<Word> words(std::mt19937_64& random, std::size_t count, int kind) {
  std::vector<Word> w(count);
  for (Word& x : w) {
    const std::uint64_t bits = random();
    switch (kind) {
      case 0: x = static_cast<Word>(bits); break;
      case 1: x = static_cast<Word>(bits % 5); break;
      case 2: x = static_cast<Word>(bits >> (bits % 61)); break;  // most of them small
      case 3: x = bits % 50 == 0 ? std::numeric_limits<Word>::max() : static_cast<Word>(100 + bits % 3); break;
      default: x = 7;
    }
  }
  if (kind == 0 && count % 3 == 0) std::sort(w.begin(), w.end());
  if (kind == 0 && count % 3 == 1) std::sort(w.rbegin(), w.rend());
  return w;
}

template <bool Descending, class T>
int wrong_order(const std::vector<T>& values) {
  const auto is_before = [](T a, T b) {
    if (a != a || b != b) return a == a && b != b;
    if (a == b)
      return Descending ? std::signbit(static_cast<double>(b)) && !std::signbit(static_cast<double>(a))
                        : std::signbit(static_cast<double>(a)) && !std::signbit(static_cast<double>(b));
    return Descending ? a > b : a < b;
  };
  using key = sort_key<Descending, T>;
  int wrong = 0;
  for (const T a : values) {
    const T back = key::value(key::of(a));
    wrong += !(a == back || (a != a && back != back)) ||
             std::signbit(static_cast<double>(a == a ? a : T(0))) != std::signbit(static_cast<double>(a == a ? back : T(0)));
    for (const T b : values) wrong += is_before(a, b) != (key::of(a) < key::of(b));
  }
  return wrong;
}

}  // namespace

TEST_CASE_TEMPLATE("radix sort is std::sort", Word, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  std::mt19937_64 random(5);
  int wrong = 0;
  for (int kind = 0; kind < 5; ++kind)
    for (const int count : {0, 1, 2, 23, 24, 25, 26, 27, 100, 255, 256, 257, 3000, 70'000}) {
      std::vector<Word> w = words<Word>(random, static_cast<std::size_t>(count), kind), expected = w;
      std::sort(expected.begin(), expected.end());
      radix_sort(w.data(), count);
      wrong += w != expected;
    }
  CHECK(wrong == 0);
}

TEST_CASE("keys have the order of numbers, -0 before 0, NaN last, and give them back") {
  const auto floats = [](auto zero) {
    using T = decltype(zero);
    using limits = std::numeric_limits<T>;
    return std::vector<T>{0,
                          -zero,
                          1,
                          -1,
                          T(1.5),
                          T(-1.5),
                          limits::max(),
                          limits::lowest(),
                          limits::min(),
                          limits::denorm_min(),
                          -limits::denorm_min(),
                          limits::infinity(),
                          -limits::infinity(),
                          limits::quiet_NaN(),
                          -limits::quiet_NaN()};
  };
  CHECK(wrong_order<false>(floats(0.0f)) == 0);
  CHECK(wrong_order<true>(floats(0.0f)) == 0);
  CHECK(wrong_order<false>(floats(0.0)) == 0);
  CHECK(wrong_order<true>(floats(0.0)) == 0);
  CHECK(wrong_order<false>(std::vector<std::int8_t>{-128, -1, 0, 1, 127}) == 0);
  CHECK(wrong_order<true>(std::vector<std::int64_t>{INT64_MIN, -1, 0, 1, INT64_MAX}) == 0);
  CHECK(wrong_order<true>(std::vector<std::uint16_t>{0, 1, 255, 65535}) == 0);
}
