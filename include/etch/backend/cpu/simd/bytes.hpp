// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <etch/backend/cpu/simd/lanes.hpp>
#include <etch/backend/cpu/simd/mask.hpp>

/// Bytes in memory as lanes of wider types: `bool` as masks, `uint8` as numbers. A partial load or store touches nothing
/// beyond its count, and the lanes beyond it are false or 0.
namespace etch::cpu {

namespace detail {

/// The first `count` bytes in a word, the first one lowest; one load where the count is a constant. Most: the largest
/// count there can be, of 2, 4 and 8.
template <int Most>
ETCH_INLINE std::uint64_t load_bytes(const unsigned char* from, int count) {
  std::uint64_t word = 0;
  if (count == Most) {
    std::memcpy(&word, from, Most);
    return word;
  }
  int shift = 0;
  if constexpr (Most > 4)
    if (count & 4) {
      std::uint32_t four;
      std::memcpy(&four, from, 4);
      word = four;
      shift = 32;
    }
  if constexpr (Most > 2)
    if (count & 2) {
      std::uint16_t two;
      std::memcpy(&two, from + shift / 8, 2);
      word |= static_cast<std::uint64_t>(two) << shift;
      shift += 16;
    }
  if (count & 1) word |= static_cast<std::uint64_t>(from[shift / 8]) << shift;
  return word;
}

template <int Most>
ETCH_INLINE void store_bytes(unsigned char* to, std::uint64_t word, int count) {
  if (count == Most) {
    std::memcpy(to, &word, Most);
    return;
  }
  if constexpr (Most > 4)
    if (count & 4) {
      std::memcpy(to, &word, 4);
      to += 4;
      word >>= 32;
    }
  if constexpr (Most > 2)
    if (count & 2) {
      std::memcpy(to, &word, 2);
      to += 2;
      word >>= 16;
    }
  if (count & 1) *to = static_cast<unsigned char>(word);
}

/// How bytes become lanes of integers, and integers of 0 to 255 bytes. This form is for any machine.
template <class B, int Bits = sizeof(typename B::register_type) * 8>
struct byte_lanes {
  static constexpr int count = static_cast<int>(B::size);
  using T = typename B::value_type;

  ETCH_INLINE static B load(const unsigned char* from, int n = count) {
    alignas(B) T elements[B::size] = {};
    for (int i = 0; i < n; ++i) elements[i] = from[i];
    return B::load_aligned(elements);
  }
  ETCH_INLINE static void store(unsigned char* to, const B& x, int n = count) {
    alignas(B) T elements[B::size];
    x.store_aligned(elements);
    for (int i = 0; i < n; ++i) to[i] = static_cast<unsigned char>(elements[i]);
  }
};

#if defined(__SSE2__)
template <class B>
struct byte_lanes<B, 128> {
  static constexpr int count = static_cast<int>(B::size);

  ETCH_INLINE static B load(const unsigned char* from, int n = count) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i bytes = _mm_cvtsi64_si128(static_cast<long long>(load_bytes<count>(from, n)));
    const __m128i words = _mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, zero), zero);
    return B(count == 4 ? words : _mm_unpacklo_epi32(words, zero));
  }
  ETCH_INLINE static void store(unsigned char* to, const B& x, int n = count) {
    __m128i words = count == 4 ? x.data : _mm_shuffle_epi32(x.data, 0x88);
    words = _mm_packs_epi32(words, words);
    store_bytes<count>(to, static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(words, words))), n);
  }
};
#endif

#if defined(__AVX2__)
template <class B>
struct byte_lanes<B, 256> {
  static constexpr int count = static_cast<int>(B::size);

  ETCH_INLINE static B load(const unsigned char* from, int n = count) {
    const __m128i bytes = _mm_cvtsi64_si128(static_cast<long long>(load_bytes<count>(from, n)));
    return B(count == 8 ? _mm256_cvtepu8_epi32(bytes) : _mm256_cvtepu8_epi64(bytes));
  }
  ETCH_INLINE static void store(unsigned char* to, const B& x, int n = count) {
    __m128i low = _mm256_castsi256_si128(x.data);
    __m128i high = _mm256_extracti128_si256(x.data, 1);
    if constexpr (count == 4) low = high = _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(low), _mm_castsi128_ps(high), 0x88));
    const __m128i words = _mm_packs_epi32(low, high);
    store_bytes<count>(to, static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(words, words))), n);
  }
};
#endif

#if defined(__AVX512BW__) && defined(__AVX512VL__)
template <class B>
struct byte_lanes<B, 512> {
  static constexpr int count = static_cast<int>(B::size);

  ETCH_INLINE static __m128i load_register(const unsigned char* from) {
    if constexpr (count == 16)
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    else
      return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  }
  ETCH_INLINE static __m128i load_register(const unsigned char* from, int n) { return _mm_maskz_loadu_epi8(first(n), from); }
  ETCH_INLINE static void store_register(unsigned char* to, __m128i bytes) {
    if constexpr (count == 16)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
    else
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes);
  }
  ETCH_INLINE static void store_register(unsigned char* to, __m128i bytes, int n) { _mm_mask_storeu_epi8(to, first(n), bytes); }
  template <class... Count>
  ETCH_INLINE static B load(const unsigned char* from, Count... n) {
    const __m128i bytes = load_register(from, n...);
    return integer_lanes<64 / count>::from_bytes(bytes);
  }
  template <class... Count>
  ETCH_INLINE static void store(unsigned char* to, const B& x, Count... n) {
    store_register(to, integer_lanes<64 / count>::low_bytes(x.data), n...);
  }
  ETCH_INLINE static __mmask16 first(int n) { return static_cast<__mmask16>((1u << n) - 1u); }
};
#endif

/// Masks from bytes of 0 and 1, and back. With AVX-512 a mask is bits, else all ones or zeros.
template <class T, class... Count>
ETCH_INLINE mask<T> load_mask_bytes(const bool* from, Count... n) {
  using I = batch<integer_like<T>>;
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  if constexpr (is_avx512<I>) {
    const __m128i set = byte_lanes<I>::load_register(bytes, n...);
    return mask<T>(static_cast<typename mask<T>::register_type>(_mm_test_epi8_mask(set, set)));
  }
#endif
  return mask_of_ones<T>(I(0) - byte_lanes<I>::load(bytes, n...));
}

template <class T, class... Count>
ETCH_INLINE void store_mask_bytes(bool* to, const mask<T>& m, Count... n) {
  using I = batch<integer_like<T>>;
  auto* bytes = reinterpret_cast<unsigned char*>(to);
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  if constexpr (is_avx512<I>) return byte_lanes<I>::store_register(bytes, _mm_maskz_set1_epi8(m.data, 1), n...);
#endif
  byte_lanes<I>::store(bytes, from_mask(mask_cast<integer_like<T>>(m)), n...);
}

}  // namespace detail

/// As many bools as a batch of T has lanes.
template <class T>
ETCH_INLINE mask<T> load_mask(const bool* from) {
  return detail::load_mask_bytes<T>(from);
}

template <class T>
ETCH_INLINE mask<T> load_mask_partial(const bool* from, int count) {
  return detail::load_mask_bytes<T>(from, count);
}

template <class T>
ETCH_INLINE void store_mask(bool* to, const mask<T>& m) {
  detail::store_mask_bytes<T>(to, m);
}

template <class T>
ETCH_INLINE void store_mask_partial(bool* to, const mask<T>& m, int count) {
  detail::store_mask_bytes<T>(to, m, count);
}

/// As many bytes as lanes of T, an integer or floating type. count: only so many are there.
template <class T, class Byte, class... Count>
  requires(sizeof(Byte) == 1)
ETCH_INLINE batch<T> load_widened(const Byte* from, Count... count) {
  using I = batch<detail::integer_like<T>>;
  const I bits = detail::byte_lanes<I>::load(reinterpret_cast<const unsigned char*>(from), count...);
  // Of signed ones the sign is bit 7.
  if constexpr (std::is_signed_v<Byte>)
    return convert_to<T>((bits ^ I(128)) - I(128));
  else
    return convert_to<T>(bits);
}

}  // namespace etch::cpu
