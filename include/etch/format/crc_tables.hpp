// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace etch::format::detail {

/// Slicing by eight (Kounavis, Berry 2008): table k says what a byte does that k more follow. The polynomial's lowest bit is its highest
/// power.
template <std::uint32_t Polynomial>
inline constexpr auto crc_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> t{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c & 1 ? Polynomial : 0);
    t[0][i] = c;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t i = 0; i < 256; ++i) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255];
  return t;
}();

/// A cyclic redundancy check of 32 bits by tables, of a state that has been inverted.
template <std::uint32_t Polynomial>
std::uint32_t crc_by_tables(std::span<const std::byte> bytes, std::uint32_t c) {
  static_assert(std::endian::native == std::endian::little);
  const auto& t = crc_tables<Polynomial>;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    word ^= c;
    c = t[7][word & 255] ^ t[6][word >> 8 & 255] ^ t[5][word >> 16 & 255] ^ t[4][word >> 24 & 255] ^ t[3][word >> 32 & 255] ^
        t[2][word >> 40 & 255] ^ t[1][word >> 48 & 255] ^ t[0][word >> 56];
  }
  for (; i < bytes.size(); ++i) c = c >> 8 ^ t[0][(c ^ std::to_integer<std::uint32_t>(bytes[i])) & 255];
  return c;
}

}  // namespace etch::format::detail
