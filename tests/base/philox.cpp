// SPDX-License-Identifier: MIT
#include <bit>
#include <cstdint>
#include <initializer_list>

#include <doctest/doctest.h>

#include <etch/base/philox.hpp>

/// The generator against the known answers that Random123 publishes for philox4x32-10 (kat_vectors).
namespace {

using etch::philox::block;
using etch::philox::generate;

constexpr bool equals(const block& b, std::uint32_t w0, std::uint32_t w1, std::uint32_t w2, std::uint32_t w3) {
  return b.word[0] == w0 && b.word[1] == w1 && b.word[2] == w2 && b.word[3] == w3;
}

constexpr block zeros = generate(0, 0, 0);
constexpr block ones = generate(~0ull, ~0ull, ~0ull);
// Digits of pi: counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0, the low word first.
constexpr block pi = generate(0x85a308d3243f6a88ull, 0x0370734413198a2eull, 0x299f31d0a4093822ull);

TEST_CASE("draws: philox4x32-10 gives the published numbers, at compile time") {
  static_assert(equals(zeros, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  static_assert(equals(ones, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  static_assert(equals(pi, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST_CASE("draws: philox4x32-10 gives the published numbers, at run time") {
  volatile std::uint64_t low = 0x85a308d3243f6a88ull, high = 0x0370734413198a2eull, key = 0x299f31d0a4093822ull;
  CHECK(equals(generate(low, high, key), 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST_CASE("draws: every word of the counter and of the key matters") {
  const block b = generate(1, 2, 3);
  const auto differs = [&](std::uint64_t low, std::uint64_t high, std::uint64_t key) {
    const block c = generate(low, high, key);
    int bits = 0;
    for (int i = 0; i < 4; ++i) bits += std::popcount(b.word[i] ^ c.word[i]);
    return bits;
  };
  // 128 fair coins: 64 expected, standard deviation 5.7; the bound is five of them.
  for (int shift : {0, 31, 32, 63}) {
    CHECK(differs(1 ^ 1ull << shift, 2, 3) > 35);
    CHECK(differs(1, 2 ^ 1ull << shift, 3) > 35);
    CHECK(differs(1, 2, 3 ^ 1ull << shift) > 35);
  }
}

}  // namespace
