// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/simd/memory.hpp>

/// Between rows in memory and batches that lie across them: four contiguous elements of as many rows as a batch has lanes, at once.
/// A load and an insertion for each row and three shuffles for each batch: 0.05 ns an element on Zen 4, where loads of single
/// elements take 0.3.
namespace etch::cpu {

namespace detail {

// For registers of 4, 8 and 16 floats: the 4 floats of rows k, k + 4, k + 8, ...; and interleaved halves of two registers
// within every 128 bits.
#if defined(__SSE2__)
ETCH_INLINE void rows_to(__m128& to, const char* from, std::int64_t) { to = _mm_loadu_ps(reinterpret_cast<const float*>(from)); }
ETCH_INLINE void rows_from(char* to, std::int64_t, __m128 x) { _mm_storeu_ps(reinterpret_cast<float*>(to), x); }
ETCH_INLINE __m128 low_pairs(__m128 a, __m128 b) { return _mm_unpacklo_ps(a, b); }
ETCH_INLINE __m128 high_pairs(__m128 a, __m128 b) { return _mm_unpackhi_ps(a, b); }
ETCH_INLINE __m128 low_halves(__m128 a, __m128 b) { return _mm_movelh_ps(a, b); }
ETCH_INLINE __m128 high_halves(__m128 a, __m128 b) { return _mm_movehl_ps(b, a); }
using four_floats = __m128;
#else
typedef float four_floats __attribute__((vector_size(16)));
ETCH_INLINE void rows_to(four_floats& to, const char* from, std::int64_t) { std::memcpy(&to, from, sizeof to); }
ETCH_INLINE four_floats low_pairs(four_floats a, four_floats b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
ETCH_INLINE four_floats high_pairs(four_floats a, four_floats b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
ETCH_INLINE four_floats low_halves(four_floats a, four_floats b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
ETCH_INLINE four_floats high_halves(four_floats a, four_floats b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }
#endif
#if defined(__AVX__)
ETCH_INLINE void rows_to(__m256& to, const char* from, std::int64_t stride) {
  __m128 low, high;
  rows_to(low, from, stride);
  rows_to(high, from + 4 * stride, stride);
  to = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}
ETCH_INLINE void rows_from(char* to, std::int64_t stride, __m256 x) {
  rows_from(to, stride, _mm256_castps256_ps128(x));
  rows_from(to + 4 * stride, stride, _mm256_extractf128_ps(x, 1));
}
ETCH_INLINE __m256 low_pairs(__m256 a, __m256 b) { return _mm256_unpacklo_ps(a, b); }
ETCH_INLINE __m256 high_pairs(__m256 a, __m256 b) { return _mm256_unpackhi_ps(a, b); }
ETCH_INLINE __m256 low_halves(__m256 a, __m256 b) {
  return _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
}
ETCH_INLINE __m256 high_halves(__m256 a, __m256 b) {
  return _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
}
#endif
#if defined(__AVX512F__)
ETCH_INLINE void rows_to(__m512& to, const char* from, std::int64_t stride) {
  constexpr auto all = static_cast<__mmask16>(-1);
  __m128 row[4];
  for (int k = 0; k < 4; ++k) rows_to(row[k], from + 4 * k * stride, stride);
  to = _mm512_maskz_insertf32x4(all, _mm512_castps128_ps512(row[0]), row[1], 1);
  to = _mm512_maskz_insertf32x4(all, to, row[2], 2);
  to = _mm512_maskz_insertf32x4(all, to, row[3], 3);
}
ETCH_INLINE void rows_from(char* to, std::int64_t stride, __m512 x) {
  constexpr auto all = static_cast<__mmask8>(-1);
  rows_from(to, stride, _mm512_maskz_extractf32x4_ps(all, x, 0));
  rows_from(to + 4 * stride, stride, _mm512_maskz_extractf32x4_ps(all, x, 1));
  rows_from(to + 8 * stride, stride, _mm512_maskz_extractf32x4_ps(all, x, 2));
  rows_from(to + 12 * stride, stride, _mm512_maskz_extractf32x4_ps(all, x, 3));
}
ETCH_INLINE __m512 low_pairs(__m512 a, __m512 b) { return _mm512_maskz_unpacklo_ps(static_cast<__mmask16>(-1), a, b); }
ETCH_INLINE __m512 high_pairs(__m512 a, __m512 b) { return _mm512_maskz_unpackhi_ps(static_cast<__mmask16>(-1), a, b); }
ETCH_INLINE __m512 low_halves(__m512 a, __m512 b) {
  return _mm512_castpd_ps(_mm512_maskz_unpacklo_pd(static_cast<__mmask8>(-1), _mm512_castps_pd(a), _mm512_castps_pd(b)));
}
ETCH_INLINE __m512 high_halves(__m512 a, __m512 b) {
  return _mm512_castpd_ps(_mm512_maskz_unpackhi_pd(static_cast<__mmask8>(-1), _mm512_castps_pd(a), _mm512_castps_pd(b)));
}
#endif

/// Makes rows of four columns of four rows, and back.
template <class V>
ETCH_INLINE void transpose(V (&x)[4]) {
  const V a = low_pairs(x[0], x[1]), b = high_pairs(x[0], x[1]), c = low_pairs(x[2], x[3]), d = high_pairs(x[2], x[3]);
  x[0] = low_halves(a, c);
  x[1] = high_halves(a, c);
  x[2] = low_halves(b, d);
  x[3] = high_halves(b, d);
}

}  // namespace detail

/// Whether there are `load_columns` and `store_columns` for T.
template <class T>
inline constexpr bool has_columns =
#if defined(__SSE2__)
    sizeof(T) == 4 && (lanes<float> == 4 || lanes<float> == 8 || lanes<float> == 16);
#else
    false;
#endif

/// to[j], lane i: element j of the row at `from + i * stride` (bytes).
template <class T>
ETCH_INLINE void load_columns(const char* from, std::int64_t stride, batch<T> (&to)[4]) {
#if defined(__SSE2__)
  typename batch<float>::register_type x[4];
  for (int k = 0; k < 4; ++k) detail::rows_to(x[k], from + k * stride, stride);
  detail::transpose(x);
  for (int k = 0; k < 4; ++k) to[k] = detail::from_register<batch<T>>(x[k]);
#endif
}

/// The inverse: element j of the row at `to + i * stride` is lane i of from[j].
template <class T>
ETCH_INLINE void store_columns(char* to, std::int64_t stride, const batch<T> (&from)[4]) {
#if defined(__SSE2__)
  using V = typename batch<float>::register_type;
  V x[4];
  for (int k = 0; k < 4; ++k) x[k] = __builtin_bit_cast(V, from[k].data);
  detail::transpose(x);
  for (int k = 0; k < 4; ++k) detail::rows_from(to + k * stride, stride, x[k]);
#endif
}

/// Between such rows and a copy of them as columns, `column` elements apart: into it, or back.
template <class T, bool In>
ETCH_INLINE void move_columns(char* rows, std::int64_t stride, T* columns, std::int64_t column) {
  batch<T> x[4];
  if constexpr (In) {
    load_columns<T>(rows, stride, x);
    for (int k = 0; k < 4; ++k) store(columns + k * column, x[k]);
  } else {
    for (int k = 0; k < 4; ++k) x[k] = load(columns + k * column);
    store_columns<T>(rows, stride, x);
  }
}

}  // namespace etch::cpu
