// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/amx.hpp>
#include <etch/backend/cpu/matmul/vector.hpp>

/// Products of words: the elements of two words, so many along the inner axis, are multiplied in pairs, and their sums added to a lane.
namespace etch::cpu::matmul_detail {

/// Whether the machine has what `byte_dot` is made of. Otherwise products of bytes run in the loops of `plain.hpp`.
#if defined(__SSE2__) && (!defined(__AVX__) || defined(__AVX2__)) && (!defined(__AVX512F__) || defined(__AVX512BW__))
inline constexpr bool has_byte_dot = true;
#else
inline constexpr bool has_byte_dot = false;
#endif

/// Whether one instruction makes a register's products of bytes, of unsigned ones with signed ones, and adds them without saturation.
#if (defined(__AVX512VNNI__) && defined(__AVX512VL__)) || (defined(__AVXVNNI__) && !defined(__AVX512F__))
inline constexpr bool has_dot_instructions = true;
#else
inline constexpr bool has_dot_instructions = false;
#endif

#if defined(__SSE2__)
// Elements of a and b in turn, of the lower and of the upper half of each 128 bits.
ETCH_INLINE __m128i low_bytes(__m128i a, __m128i b) noexcept { return _mm_unpacklo_epi8(a, b); }
ETCH_INLINE __m128i high_bytes(__m128i a, __m128i b) noexcept { return _mm_unpackhi_epi8(a, b); }
ETCH_INLINE __m128i low_pairs(__m128i a, __m128i b) noexcept { return _mm_unpacklo_epi16(a, b); }
ETCH_INLINE __m128i high_pairs(__m128i a, __m128i b) noexcept { return _mm_unpackhi_epi16(a, b); }
#if !defined(__AVX2__)
// Of each 16 bits the lower or the upper byte, as a number, and sums of pairs of products of such numbers.
template <class Byte>
ETCH_INLINE __m128i even_bytes(__m128i x) noexcept {
  return std::is_signed_v<Byte> ? _mm_srai_epi16(_mm_slli_epi16(x, 8), 8) : _mm_and_si128(x, _mm_set1_epi16(255));
}
template <class Byte>
ETCH_INLINE __m128i odd_bytes(__m128i x) noexcept {
  return std::is_signed_v<Byte> ? _mm_srai_epi16(x, 8) : _mm_srli_epi16(x, 8);
}
ETCH_INLINE __m128i products_of_pairs(__m128i a, __m128i b) noexcept { return _mm_madd_epi16(a, b); }
ETCH_INLINE __m128i sum_of_lanes(__m128i a, __m128i b) noexcept { return _mm_add_epi32(a, b); }
#endif
#endif

#if defined(__AVX2__)
ETCH_INLINE __m256i low_bytes(__m256i a, __m256i b) noexcept { return _mm256_unpacklo_epi8(a, b); }
ETCH_INLINE __m256i high_bytes(__m256i a, __m256i b) noexcept { return _mm256_unpackhi_epi8(a, b); }
ETCH_INLINE __m256i low_pairs(__m256i a, __m256i b) noexcept { return _mm256_unpacklo_epi16(a, b); }
ETCH_INLINE __m256i high_pairs(__m256i a, __m256i b) noexcept { return _mm256_unpackhi_epi16(a, b); }
template <class Byte>
ETCH_INLINE __m256i even_bytes(__m256i x) noexcept {
  return std::is_signed_v<Byte> ? _mm256_srai_epi16(_mm256_slli_epi16(x, 8), 8) : _mm256_and_si256(x, _mm256_set1_epi16(255));
}
template <class Byte>
ETCH_INLINE __m256i odd_bytes(__m256i x) noexcept {
  return std::is_signed_v<Byte> ? _mm256_srai_epi16(x, 8) : _mm256_srli_epi16(x, 8);
}
ETCH_INLINE __m256i products_of_pairs(__m256i a, __m256i b) noexcept { return _mm256_madd_epi16(a, b); }
ETCH_INLINE __m256i sum_of_lanes(__m256i a, __m256i b) noexcept { return _mm256_add_epi32(a, b); }
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
ETCH_INLINE __m256i dot_of_bytes(__m256i sum, __m256i a, __m256i b) noexcept { return _mm256_dpbusd_epi32(sum, a, b); }
#elif defined(__AVXVNNI__)
ETCH_INLINE __m256i dot_of_bytes(__m256i sum, __m256i a, __m256i b) noexcept { return _mm256_dpbusd_avx_epi32(sum, a, b); }
#endif
#endif

#if defined(__AVX512BW__)
// With masks of ones, as in simd/x86.hpp.
ETCH_INLINE __m512i low_bytes(__m512i a, __m512i b) noexcept {
  return _mm512_maskz_unpacklo_epi8(static_cast<__mmask64>(-1), a, b);
}
ETCH_INLINE __m512i high_bytes(__m512i a, __m512i b) noexcept {
  return _mm512_maskz_unpackhi_epi8(static_cast<__mmask64>(-1), a, b);
}
ETCH_INLINE __m512i low_pairs(__m512i a, __m512i b) noexcept {
  return _mm512_maskz_unpacklo_epi16(static_cast<__mmask32>(-1), a, b);
}
ETCH_INLINE __m512i high_pairs(__m512i a, __m512i b) noexcept {
  return _mm512_maskz_unpackhi_epi16(static_cast<__mmask32>(-1), a, b);
}
template <class Byte>
ETCH_INLINE __m512i odd_bytes(__m512i x) noexcept {
  constexpr auto all = static_cast<__mmask32>(-1);
  return std::is_signed_v<Byte> ? _mm512_maskz_srai_epi16(all, x, 8) : _mm512_maskz_srli_epi16(all, x, 8);
}
template <class Byte>
ETCH_INLINE __m512i even_bytes(__m512i x) noexcept {
  return odd_bytes<Byte>(_mm512_maskz_slli_epi16(static_cast<__mmask32>(-1), x, 8));
}
ETCH_INLINE __m512i products_of_pairs(__m512i a, __m512i b) noexcept {
  return _mm512_maskz_madd_epi16(static_cast<__mmask16>(-1), a, b);
}
ETCH_INLINE __m512i sum_of_lanes(__m512i a, __m512i b) noexcept { return _mm512_add_epi32(a, b); }
#if defined(__AVX512VNNI__)
ETCH_INLINE __m512i dot_of_bytes(__m512i sum, __m512i a, __m512i b) noexcept { return _mm512_dpbusd_epi32(sum, a, b); }
#endif
#endif

/// Words of four bytes, whose sums of products are exact modulo 2^32. What tiles and packing ask of such a struct:
///   is_available                      whether the machine has what `add` needs
///   left_type, right_type, sum_type   of elements in memory, and of sums
///   group                             how many elements are a word; a word has the size of a sum
///   moves_right                       whether elements of b are packed as others (`moved`, `moved_element`), and `correction_of` the sum of a
///                                     row of a is added to its sums
///   add(left, right, sum)             for registers of words
///   amx                               which of AMX's instructions does the same, where the machine has them
///   swapped                           the same for the transposed product
template <class Left, class Right>
struct byte_dot {
  static_assert(sizeof(Left) == 1 && sizeof(Right) == 1);
  using left_type = Left;
  using right_type = Right;
  using sum_type = std::int32_t;
  using swapped = byte_dot<Right, Left>;
  static constexpr index group = 4;
  static_assert(group * sizeof(Left) == sizeof(sum_type) && sizeof(sum_type) == 4);
  static constexpr bool is_available = has_byte_dot;
  static constexpr bool takes_words = true;
#if defined(ETCH_CPU_HAS_AMX)
  static constexpr amx_dot amx = std::is_unsigned_v<Left> ? amx_dot::unsigned_signed : amx_dot::signed_unsigned;
#endif

  /// The instruction takes one unsigned operand and a signed one. Where a and b are alike, 128 is added to signed elements of b, and taken
  /// from unsigned ones, which is the same change of bits. A sum then has 128 times the sum of its row of a too much, or too little.
  static constexpr bool moves_right = has_dot_instructions && std::is_signed_v<Left> == std::is_signed_v<Right>;
  static constexpr std::int32_t correction_of(std::int32_t row_sum) noexcept {
    const unsigned much = 128u * static_cast<unsigned>(row_sum);
    return static_cast<std::int32_t>(std::is_signed_v<Right> ? 0u - much : much);
  }
  template <class V>
  ETCH_INLINE static V moved(const V& right) noexcept {
    if constexpr (moves_right)
      return right ^ V(static_cast<std::int32_t>(0x80808080u));
    else
      return right;
  }
  static constexpr Right moved_element(Right x) noexcept { return moves_right ? static_cast<Right>(x ^ 0x80) : x; }

  template <class V>
  ETCH_INLINE static V add(const V& left, const V& right, const V& sum) noexcept {
    if constexpr (!has_dot_instructions)
      return V(sum_of_lanes(sum.data, sum_of_lanes(products_of_pairs(even_bytes<Left>(left.data), even_bytes<Right>(right.data)),
                                                   products_of_pairs(odd_bytes<Left>(left.data), odd_bytes<Right>(right.data)))));
    else if constexpr (std::is_unsigned_v<Left>)
      return V(dot_of_bytes(sum.data, left.data, right.data));
    else
      return V(dot_of_bytes(sum.data, right.data, left.data));
  }
  /// The sums of a word's elements of a.
  template <class V>
  ETCH_INLINE static V add_elements(const V& left, const V& sum) noexcept {
    return add(left, V(std::int32_t{0x01010101}), sum);
  }
};

}  // namespace etch::cpu::matmul_detail
