// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/simd/xsimd.hpp>

/// Between memory and batches: whole batches, the first `count` lanes of one, elements a stride apart. A partial load or
/// store touches no byte of memory beyond its count, which may be anything from 0 to the number of lanes.
namespace etch::cpu {

namespace detail {
#if defined(__AVX2__)
/// Ones in the first `count` lanes of Bytes bytes each.
template <int Bytes>
ETCH_INLINE __m256i first_ones(int count) {
  if constexpr (Bytes == 4)
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  else
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}
#endif

#if defined(__SSE2__)
/// The first `count` elements of 4 or 8 bytes of at most 16, and back. By way of an array, the load of the register would wait for
/// the stores of its elements: 64 bodies, whose rows are of 3 floats, took 4 times as long with SSE2.
template <int Bytes>
ETCH_INLINE __m128i load_first(const void* from, int count) {
  const char* const p = static_cast<const char*>(from);
  if constexpr (Bytes == 8) {
    if (count == 2) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return count == 1 ? _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)) : _mm_setzero_si128();
  } else {
    if (count == 4) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i two = (count & 2) != 0 ? _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)) : _mm_setzero_si128();
    if ((count & 1) == 0) return two;
    int last = 0;
    std::memcpy(&last, p + 4 * (count - 1), 4);
    return (count & 2) != 0 ? _mm_unpacklo_epi64(two, _mm_cvtsi32_si128(last)) : _mm_cvtsi32_si128(last);
  }
}
template <int Bytes>
ETCH_INLINE void store_first(void* to, __m128i x, int count) {
  char* const p = static_cast<char*>(to);
  if (count * Bytes == 16) return _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x);
  if (count * Bytes >= 8) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), x);
    x = _mm_unpackhi_epi64(x, x);
  }
  if constexpr (Bytes == 4) {
    if ((count & 1) == 0) return;
    const int last = _mm_cvtsi128_si32(x);
    std::memcpy(p + 4 * (count - 1), &last, 4);
  }
}
#endif

/// Whether the compiler knows, here, that `count` elements of T fill that many bytes. Such moves need no mask: a masked
/// store delays loads from anywhere in the register's width, and costs more where it crosses a cache line.
template <class T>
ETCH_INLINE bool fills(int count, std::size_t bytes) {
  return __builtin_constant_p(count) && static_cast<std::size_t>(count) * sizeof(T) == bytes;
}
}  // namespace detail

template <class T>
ETCH_INLINE batch<T> load(const T* from) {
  return batch<T>::load_unaligned(from);
}

template <class T>
ETCH_INLINE void store(T* to, const batch<T>& x) {
  x.store_unaligned(to);
}

/// Makes the compiler load a vector once. g++ 12 otherwise makes the memory an operand of every instruction that reads a vector just
/// loaded, which is a load each: a tile of 4 rows by 2 registers of a matrix product reaches 0.73 of the peak instead of 1, a vector
/// that an elementwise kernel reads twice 0.8 of the speed (1,000 floats, Zen 4). This hides where it came from. What is no vector,
/// such as a mask of bits, is left alone.
template <class V>
ETCH_INLINE void keep_in_register([[maybe_unused]] V& loaded) noexcept {
#if defined(__x86_64__)
  if constexpr (requires { loaded.data; } && sizeof(V) >= 16) asm("" : "+v"(loaded.data));
#endif
}

/// Bytes that a kernel must touch for its stores to be non-temporal (streaming). Written so, memory need not be read first. Measured: on
/// Zen 4 with 32 MiB of last cache 1.2 times as fast from here on, and slower by a tenth below; on an Intel server that says it has
/// 300 MiB, 1.25 to 1.45 times as fast from 36 to 240 MB (2 x + y; equal for exp and log), so what the system says of its caches is
/// not asked: a threshold at 300 MiB loses there.
inline constexpr std::int64_t least_streamed_bytes = std::int64_t{32} << 20;

/// Non-temporal (streaming) stores, past the caches, to memory that is aligned to a batch: what is written is not read first. Such
/// stores are ordered with others by `finish_streamed` only.
template <class T>
ETCH_INLINE void store_streamed(T* to, const batch<T>& x) {
#if defined(__SSE2__)
  constexpr std::size_t bytes = sizeof(typename batch<T>::register_type);
#if defined(__AVX512F__)
  if constexpr (bytes == 64) return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), __builtin_bit_cast(__m512i, x.data));
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32) return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), __builtin_bit_cast(__m256i, x.data));
#endif
  if constexpr (bytes == 16) return _mm_stream_si128(reinterpret_cast<__m128i*>(to), __builtin_bit_cast(__m128i, x.data));
#endif
  x.store_aligned(to);
}
/// So many bytes, which 16 divides, to an address that 16 divides.
ETCH_INLINE void copy_streamed(char* to, const char* from, std::int64_t bytes) {
#if defined(__SSE2__)
  for (std::int64_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
#else
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
#endif
}
ETCH_INLINE void finish_streamed() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// The first `count` elements; 0 in the other lanes.
template <class T>
ETCH_INLINE batch<T> load_partial(const T* from, int count) {
#if defined(__AVX512F__)
  if constexpr (detail::is_avx512<batch<T>>) {
    if (detail::fills<T>(count, 16))
      return detail::from_register<batch<T>>(
          _mm512_maskz_inserti32x4(0xffff, _mm512_setzero_si512(), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), 0));
    if (detail::fills<T>(count, 32))
      return detail::from_register<batch<T>>(
          _mm512_maskz_inserti64x4(0xff, _mm512_setzero_si512(), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)), 0));
    const auto first = detail::integer_lanes<sizeof(T)>::first_bits(count);
    if constexpr (sizeof(T) == 4)
      return detail::from_register<batch<T>>(_mm512_maskz_loadu_epi32(first, from));
    else
      return detail::from_register<batch<T>>(_mm512_maskz_loadu_epi64(first, from));
  }
#endif
#if defined(__AVX2__)
  if constexpr (detail::is_avx2<batch<T>>) {
    if (detail::fills<T>(count, 16))
      return detail::from_register<batch<T>>(_mm256_zextsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
    const __m256i first = detail::first_ones<sizeof(T)>(count);
    if constexpr (sizeof(T) == 4)
      return detail::from_register<batch<T>>(_mm256_maskload_epi32(reinterpret_cast<const int*>(from), first));
    else
      return detail::from_register<batch<T>>(_mm256_maskload_epi64(reinterpret_cast<const long long*>(from), first));
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(batch<T>) == 16 && sizeof(T) >= 4)
    return detail::from_register<batch<T>>(detail::load_first<sizeof(T)>(from, count));
#endif
  alignas(batch<T>) T elements[lanes<T>] = {};
  for (int i = 0; i < count; ++i) elements[i] = from[i];
  return batch<T>::load_aligned(elements);
}

/// The first `count` lanes.
template <class T>
ETCH_INLINE void store_partial(T* to, const batch<T>& x, int count) {
#if defined(__AVX512F__)
  if constexpr (detail::is_avx512<batch<T>>) {
    const __m512i values = __builtin_bit_cast(__m512i, x.data);
    // Not the casts: g++ 12 warns of what they leave undefined.
    if (detail::fills<T>(count, 16))
      return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_maskz_extracti32x4_epi32(0xf, values, 0));
    if (detail::fills<T>(count, 32))
      return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_extracti64x4_epi64(0xff, values, 0));
    const auto first = detail::integer_lanes<sizeof(T)>::first_bits(count);
    if constexpr (sizeof(T) == 4)
      return _mm512_mask_storeu_epi32(to, first, values);
    else
      return _mm512_mask_storeu_epi64(to, first, values);
  }
#endif
#if defined(__AVX2__)
  if constexpr (detail::is_avx2<batch<T>>) {
    // In halves, by branches: a training step of 784-100-10, rows of which end with 4 elements, takes 0.98 of the time that it takes with
    // masked stores (batches of 50, Zen 3).
    constexpr int half = lanes<T> / 2;
    const __m256i values = __builtin_bit_cast(__m256i, x.data);
    __m128i rest = _mm256_castsi256_si128(values);
    if (count >= half) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), rest);
      rest = _mm256_extracti128_si256(values, 1);
      to += half;
      count -= half;
    }
    return detail::store_first<sizeof(T)>(to, rest, count);
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(batch<T>) == 16 && sizeof(T) >= 4)
    return detail::store_first<sizeof(T)>(to, __builtin_bit_cast(__m128i, x.data), count);
#endif
  alignas(batch<T>) T elements[lanes<T>];
  x.store_aligned(elements);
  for (int i = 0; i < count; ++i) to[i] = elements[i];
}

/// Elements `stride` apart. Insertions, not gathers: 0.2 against 0.4 ns an element on Zen 4.
template <class T>
ETCH_INLINE batch<T> load_strided(const T* from, std::int64_t stride) {
  alignas(batch<T>) T elements[lanes<T>];
  for (int i = 0; i < lanes<T>; ++i) elements[i] = from[i * stride];
  return batch<T>::load_aligned(elements);
}

template <class T>
ETCH_INLINE batch<T> load_strided_partial(const T* from, std::int64_t stride, int count) {
  alignas(batch<T>) T elements[lanes<T>] = {};
  for (int i = 0; i < count; ++i) elements[i] = from[i * stride];
  return batch<T>::load_aligned(elements);
}

template <class T>
ETCH_INLINE void store_strided(T* to, std::int64_t stride, const batch<T>& x) {
  alignas(batch<T>) T elements[lanes<T>];
  x.store_aligned(elements);
  for (int i = 0; i < lanes<T>; ++i) to[i * stride] = elements[i];
}

template <class T>
ETCH_INLINE void store_strided_partial(T* to, std::int64_t stride, const batch<T>& x, int count) {
  alignas(batch<T>) T elements[lanes<T>];
  x.store_aligned(elements);
  for (int i = 0; i < count; ++i) to[i * stride] = elements[i];
}

}  // namespace etch::cpu
