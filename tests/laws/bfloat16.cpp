// SPDX-License-Identifier: MIT
#include <bit>

#include "compare.hpp"

/// "What is bfloat16 in memory is float in registers": conversions, what moves elements, and products.
namespace {

using namespace etch;
using namespace etch::literals;

/// Round to nearest, halves to even, in integers: the oracle of what kernels store.
std::uint16_t rounded(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t upper = bits >> 16, lower = bits & 0xffff;
  if ((bits & 0x7f800000) == 0x7f800000 && (bits & 0x7fffff) != 0) return static_cast<std::uint16_t>(upper | 0x40);
  return static_cast<std::uint16_t>(lower > 0x8000 || (lower == 0x8000 && upper % 2 == 1) ? upper + 1 : upper);
}
bfloat16 from_bits(std::size_t bits) { return bfloat16::from_bits(static_cast<std::uint16_t>(bits)); }

/// Numbers from -4 to 4 with NaN, infinities, subnormals and zeros among them.
template <std::size_t N>
xt::xtensor<bfloat16, N> random_numbers(std::mt19937& generator, const std::array<std::size_t, N>& shape, bool special) {
  xt::xtensor<bfloat16, N> x(shape);
  constexpr std::uint16_t specials[] = {0x7fc0, 0x7f80, 0xff80, 0x0001, 0x8001, 0x8000, 0x7f7f, 0x0080};
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.data()[i] = bfloat16(static_cast<float>(generator() % 4096) / 512 - 4);
    if (special && generator() % 8 == 0) x.data()[i] = bfloat16::from_bits(specials[generator() % 8]);
  }
  return x;
}
template <std::size_t N>
bool equal_bits(const xt::xtensor<bfloat16, N>& a, const xt::xtensor<bfloat16, N>& b) {
  bool equal = a.shape() == b.shape();
  for (std::size_t i = 0; equal && i < a.size(); ++i) equal = a.data()[i].bits == b.data()[i].bits;
  return equal;
}

constexpr placeholder<"x", bfloat16, any<"n">> x;
constexpr placeholder<"f", float, any<"n">> f;
constexpr placeholder<"m", bfloat16, any<"n">, 20> m;
constexpr placeholder<"g", float, any<"n">, 20> g;

}  // namespace

TEST_CASE("law: all bfloat16 are loaded as the floats that they are, and stored again as they were") {
  constexpr auto wide = astype<float>(x);
  constexpr auto doubled = wide * 2_c;
  constexpr auto again = astype<bfloat16>(wide);
  session s(wide, doubled, again, astype<double>(x), astype<std::int32_t>(x), astype<bool>(x));
  xt::xtensor<bfloat16, 1> all({65536 + 5});
  for (std::size_t i = 0; i < all.size(); ++i) all(i) = from_bits(i % 65536);
  const auto [w, d, a, e] = s.run(wide, doubled, again, astype<double>(x), x = all);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(i % 65536) << 16;
    const float expected = std::bit_cast<float>(bits);
    if (std::isnan(expected)) {
      wrong += !std::isnan(w(i)) || !std::isnan(d(i)) || !std::isnan(e(i)) || a(i).bits != (bits >> 16 | 0x40);
    } else {
      wrong += std::bit_cast<std::uint32_t>(w(i)) != bits || a(i).bits != bits >> 16;
      // What computes may take subnormals for zero, in a session; what converts in integers does not.
      if (std::abs(expected) >= 0x1p-126f) wrong += d(i) != expected * 2 || e(i) != static_cast<double>(expected);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("law: floats are stored as the nearest bfloat16, subnormals too, in vectors and in what is left") {
  constexpr auto narrow = astype<bfloat16>(f);
  constexpr auto back = astype<float>(narrow) * 1_c;
  session s(narrow, back);
  for (const std::uint64_t step : {std::uint64_t{4093}, std::uint64_t{1} << 16}) {
    std::vector<float> floats;
    for (std::uint64_t i = 0x7fff; i < std::uint64_t{1} << 32; i += step)
      floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(i)));
    for (std::uint64_t i = 0x8000; i < std::uint64_t{1} << 32; i += step)
      floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(i)));
    const auto n = s.run(narrow, f = floats);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < floats.size(); ++i) wrong += n(i).bits != rounded(floats[i]);
    CHECK(wrong == 0);
  }
  for (std::size_t count = 0; count < 70; ++count) {
    // One element behind, which must stay.
    std::vector<float> floats(count);
    for (std::size_t i = 0; i < count; ++i) floats[i] = std::bit_cast<float>(static_cast<std::uint32_t>(0x3f800000 + 40503 * i));
    const auto n = s.run(narrow, f = floats);
    const auto b = s.run(back, f = floats);
    REQUIRE(n.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(n(i).bits == rounded(floats[i]));
      CHECK(b(i) == float(from_bits(rounded(floats[i]))));
    }
  }
}

namespace {
template <class T>
void check_casts() {
  static constexpr placeholder<"t", T, any<"n">, 20> t;
  constexpr auto to = astype<T>(m);
  constexpr auto turned = astype<T>(transpose(m));
  constexpr auto from = astype<bfloat16>(t);
  constexpr auto from_turned = astype<bfloat16>(transpose(t));
  session s(to, turned, from, from_turned);
  std::mt19937 generator(5);
  for (const std::size_t n : {1u, 3u, 17u, 33u}) {
    auto a = random_numbers<2>(generator, {n, 20}, false);
    if constexpr (std::is_unsigned_v<T>)
      for (auto& v : a) v = bfloat16(std::abs(float(v)));
    const auto [whole, across] = s.run(to, turned, m = a);
    auto b = laws::random_array<T>(generator, n, 20);
    if constexpr (!std::is_same_v<T, bool>)
      for (auto& v : b) v = static_cast<T>(v * 100);
    const auto [stored, stored_across] = s.run(from, from_turned, t = b);
    const auto [r, ra] = reference::run(to, turned, m = a);
    const auto [q, qa] = reference::run(from, from_turned, t = b);
    bool right = equal_bits(stored, q) && equal_bits(stored_across, qa);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < 20; ++j) {
        const T expected = std::is_same_v<T, bool> ? float(a(i, j)) != 0 : static_cast<T>(float(a(i, j)));
        right = right && whole(i, j) == expected && across(j, i) == expected && r(i, j) == expected && ra(j, i) == expected;
        right = right && stored(i, j).bits == rounded(static_cast<float>(b(i, j))) && stored_across(j, i).bits == stored(i, j).bits;
      }
    laws::check_that(right, std::string(name_of_dtype(dtype_of<T>)) + ", " + std::to_string(n) + " rows");
  }
}
}  // namespace

TEST_CASE("law: bfloat16 is cast to and from every dtype, by way of float") {
  check_casts<bool>();
  check_casts<std::int8_t>();
  check_casts<std::int16_t>();
  check_casts<std::int32_t>();
  check_casts<std::int64_t>();
  check_casts<std::uint8_t>();
  check_casts<std::uint16_t>();
  check_casts<std::uint32_t>();
  check_casts<std::uint64_t>();
  check_casts<float>();
  check_casts<double>();
}

TEST_CASE("law: what is not computed of a constant of bfloat16 is not folded as something else") {
  static constexpr placeholder<"pair", bfloat16, 2> pair;
  constexpr auto joined = concat(axis<0>, pair, stop_gradient(broadcast_to(astype<bfloat16>(1.5_c), shape<2>{})));
  session s(joined);
  const xt::xtensor<bfloat16, 1> r = s.run(joined, pair = xt::xtensor<bfloat16, 1>{bfloat16(7.f), bfloat16(8.f)});
  CHECK(std::vector<float>(r.begin(), r.end()) == std::vector<float>{7, 8, 1.5, 1.5});
}

TEST_CASE("law: what moves elements moves bfloat16 bit by bit, NaN too") {
  static constexpr placeholder<"i", std::int32_t, any<"n">> i;
  static constexpr placeholder<"row", bfloat16, 20> row;
  const auto all = std::tuple(transpose(m), flip(m), slice(m, section<>, section<3, 17>), slice(m, section<>, section<1, 20, 3>),
                              concat(axis<0>, m, flip(m)), concat(axis<1>, m, m), gather(m, i), gather(m, i, axis<1>),
                              pad(m, padding<1, 2>, padding<0, 3>), reshape(m, shape<any<"n">, 4, 5>{}),
                              broadcast_to(row, shape<7, 20>{}), roll<3>(m, axis<1>), tile<2, 1>(m), stack(axis<0>, m, m),
                              transpose(concat(axis<1>, m, pad(m, padding<0, 0>, padding<2, 0>))), stop_gradient(m));
  std::apply(
      [&](auto... e) {
        session s(e...);
        std::mt19937 generator(9);
        for (const std::size_t n : {1u, 3u, 18u}) {
          const auto a = random_numbers<2>(generator, {n, 20}, true);
          const auto b = random_numbers<1>(generator, {20}, true);
          const auto indices = laws::random_array<std::int32_t>(generator, n);
          const auto got = s.run(e..., m = a, row = b, i = indices);
          const auto expected = reference::run(e..., m = a, row = b, i = indices);
          [&]<std::size_t... K>(std::index_sequence<K...>) {
            (laws::check_that(equal_bits(std::get<K>(got), std::get<K>(expected)),
                              "result " + std::to_string(K) + ", " + std::to_string(n) + " rows"),
             ...);
          }(std::index_sequence_for<decltype(e)...>{});
        }
      },
      all);
}

TEST_CASE("law: what is computed of bfloat16 in float is that of the reference, wherever it is read and stored") {
  static constexpr placeholder<"row", bfloat16, 20> row;
  static constexpr placeholder<"column", bfloat16, any<"n">, 1> column;
  static constexpr placeholder<"w", bfloat16, 20, 5> w;
  static constexpr placeholder<"i", std::int32_t, any<"n">> i;
  constexpr auto real = astype<float>(m);
  const auto all = std::tuple(
      real * 0.5_c + astype<float>(row), astype<double>(m) - astype<double>(column), astype<float>(transpose(m)) * 2_c, m + g,
      g - transpose(transpose(m)), mean(real, axis<1>), mean(real, axis<0>), softmax(real), matmul(real, astype<float>(w)),
      matmul(slice(real, section<>, section<0, 20>), astype<float>(w)) + astype<float>(slice(m, section<>, section<3, 8>)),
      matmul(astype<float>(transpose(w)), astype<float>(transpose(m))), astype<float>(gather(m, i)) + real,
      sum(real * astype<float>(column), axis<1>), where(real > astype<float>(row), real, g),
      // Rounded in the middle of a kernel, and read back between sweeps.
      astype<float>(astype<bfloat16>(real * 1.7_c)) + real, astype<float>(astype<bfloat16>(g)) - g,
      softmax(astype<float>(astype<bfloat16>(g * 3_c))), astype<std::int32_t>(astype<bfloat16>(g * 100_c)),
      astype<float>(arange<bfloat16>(shape<20>{})) + real);
  std::apply(
      [&](auto... e) {
        session s(e...);
        std::mt19937 generator(31);
        for (const std::size_t n : {1u, 3u, 17u, 33u}) {
          const auto a = random_numbers<2>(generator, {n, 20}, false);
          const auto b = random_numbers<1>(generator, {20}, false);
          const auto c = random_numbers<2>(generator, {n, 1}, false);
          const auto v = random_numbers<2>(generator, {20, 5}, false);
          const xt::xtensor<float, 2> h = xt::cast<float>(laws::random_array<std::int32_t>(generator, n, 20)) * 0.37f;
          const auto indices = laws::random_array<std::int32_t>(generator, n);
          static constexpr std::int64_t bounds[] = {0,       0, 0,       0, 0, 2, 2, 6, 1 << 12, 1 << 12,
                                                    1 << 12, 0, 1 << 12, 0, 0, 0, 6, 0, 0};
          static_assert(std::size(bounds) == sizeof...(e));
          laws::check_agreement(s.run(e..., m = a, row = b, column = c, w = v, i = indices, g = h),
                                reference::run(e..., m = a, row = b, column = c, w = v, i = indices, g = h), nullptr, bounds,
                                std::to_string(n) + " rows");
        }
      },
      all);
}

TEST_CASE("law: results are stored as bfloat16 by the kernel that computes them") {
  static constexpr placeholder<"w", float, 20, 9> w;
  const auto all = std::tuple(astype<bfloat16>(astype<float>(m) * 2_c + g), astype<bfloat16>(transpose(g) + 1_c),
                              astype<bfloat16>(sum(g, axis<1>)), astype<bfloat16>(softmax(g)), astype<bfloat16>(matmul(g, w)),
                              astype<bfloat16>(g > 0_c), astype<bfloat16>(g * 0_c));
  std::apply(
      [&](auto... e) {
        session s(e...);
        std::mt19937 generator(2);
        for (const std::size_t n : {1u, 2u, 19u, 40u}) {
          const auto a = random_numbers<2>(generator, {n, 20}, false);
          // Whole numbers, whose sums are exact in any order.
          const xt::xtensor<float, 2> h = xt::cast<float>(laws::random_array<std::int32_t>(generator, n, 20));
          const xt::xtensor<float, 2> v = xt::cast<float>(laws::random_array<std::int32_t>(generator, 20, 9));
          const auto got = s.run(e..., m = a, g = h, w = v);
          const auto expected = reference::run(e..., m = a, g = h, w = v);
          [&]<std::size_t... K>(std::index_sequence<K...>) {
            (laws::check_that(K == 3 || equal_bits(std::get<K>(got), std::get<K>(expected)),
                              "result " + std::to_string(K) + ", " + std::to_string(n) + " rows"),
             ...);
          }(std::index_sequence_for<decltype(e)...>{});
          // Of a softmax a bit of the float may differ, and so one of eight bits.
          for (std::size_t k = 0; k < std::get<3>(got).size(); ++k)
            CHECK(std::abs(float(std::get<3>(got).data()[k]) - float(std::get<3>(expected).data()[k])) <=
                  0x1p-8f * float(std::get<3>(expected).data()[k]));
        }
      },
      all);
}
