// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include <etch/backend/cpu/simd/x86.hpp>
#include <etch/config.hpp>

/// Interleaved bytes, such as the colours of pixels, as a row for each place in a group (planes).
namespace etch::cpu::detail {

#if defined(__SSSE3__)
/// Which byte of vector `from` of a group of so many is byte i of row `row`; 0x80, which gives 0, where it is one of another vector.
template <int Group>
struct byte_places {
  alignas(16) std::array<unsigned char, 16> at[Group][Group];
  constexpr byte_places() : at{} {
    for (int row = 0; row < Group; ++row)
      for (int from = 0; from < Group; ++from)
        for (int i = 0; i < 16; ++i) {
          const int place = i * Group + row - from * 16;
          at[row][from][static_cast<std::size_t>(i)] = static_cast<unsigned char>(place >= 0 && place < 16 ? place : 0x80);
        }
  }
};
template <int Group>
inline constexpr byte_places<Group> places_of_bytes{};
#endif

/// to[row * stride + i] = from[i * Group + row], for `count` groups.
template <int Group>
void deinterleave_bytes(const unsigned char* from, unsigned char* to, std::int64_t stride, std::int64_t count) {
  std::int64_t i = 0;
#if defined(__SSSE3__)
  for (; i + 16 <= count; i += 16) {
    __m128i x[Group];
    for (int k = 0; k < Group; ++k) x[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i * Group + 16 * k));
    ETCH_UNROLL(4)
    for (int row = 0; row < Group; ++row) {
      const auto& places = places_of_bytes<Group>.at[row];
      __m128i r = _mm_shuffle_epi8(x[0], _mm_load_si128(reinterpret_cast<const __m128i*>(places[0].data())));
      for (int k = 1; k < Group; ++k)
        r = _mm_or_si128(r, _mm_shuffle_epi8(x[k], _mm_load_si128(reinterpret_cast<const __m128i*>(places[k].data()))));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + row * stride + i), r);
    }
  }
#endif
  for (; i < count; ++i)
    for (int row = 0; row < Group; ++row) to[row * stride + i] = from[i * Group + row];
}

}  // namespace etch::cpu::detail
