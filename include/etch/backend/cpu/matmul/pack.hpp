// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/part.hpp>

/// Copies of blocks of a and b in the order in which the tile kernel reads them.
namespace etch::cpu::matmul_detail {


/// to[r * to_row + j] = b[r, j] for r < rows and j < columns; 0 for columns <= j < width, where width is `columns` or
/// `columns` rounded up to whole registers. b.column_stride is 1.
template <class T>
ETCH_NOINLINE void pack_rows(const matrix<T>& b, index rows, index columns, index width, T* ETCH_RESTRICT to,
                             index to_row) noexcept {
  using V = vector<T>;
  constexpr index L = lanes<T>;
  const index whole = columns / L * L;
  const part<V> rest(static_cast<int>(columns - whole));
  const T* row = b.data;
  for (index r = 0; r < rows; ++r, row += b.row_stride, to += to_row) {
    for (index j = 0; j < whole; j += L) V::load_unaligned(row + j).store_unaligned(to + j);
    if (whole == columns) continue;
    if (columns < width) {
      rest.load(row + whole).store_unaligned(to + whole);
    } else {
      rest.store(to + whole, rest.load(row + whole));
    }
  }
}

template <class T>
using quarter = typename plain_vector<T, 16 / sizeof(T)>::type;
template <class T>
using pair = typename plain_vector<T, 32 / sizeof(T)>::type;

#if defined(__AVX__)
/// 16 bytes from each of two rows. g++ 12 does not see a load of half a register in a shuffle of two halves, and packs
/// at half the speed.
ETCH_INLINE pair<float> load_pair(const float* low, const float* high) noexcept {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}
ETCH_INLINE pair<double> load_pair(const double* low, const double* high) noexcept {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
}

/// to[i * to_row + j] = from[j * from_row + i] for i < 16 / sizeof(T), j < transpose_columns<T>.
ETCH_INLINE void transpose(const float* from, index from_row, float* to, index to_row) noexcept {
  const pair<float> a = load_pair(from, from + 4 * from_row);
  const pair<float> b = load_pair(from + from_row, from + 5 * from_row);
  const pair<float> c = load_pair(from + 2 * from_row, from + 6 * from_row);
  const pair<float> d = load_pair(from + 3 * from_row, from + 7 * from_row);
  const pair<float> low_ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
  const pair<float> high_ab = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  const pair<float> low_cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
  const pair<float> high_cd = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  const pair<float> rows[4] = {__builtin_shufflevector(low_ab, low_cd, 0, 1, 8, 9, 4, 5, 12, 13),
                               __builtin_shufflevector(low_ab, low_cd, 2, 3, 10, 11, 6, 7, 14, 15),
                               __builtin_shufflevector(high_ab, high_cd, 0, 1, 8, 9, 4, 5, 12, 13),
                               __builtin_shufflevector(high_ab, high_cd, 2, 3, 10, 11, 6, 7, 14, 15)};
  ETCH_UNROLL(4)
  for (index i = 0; i < 4; ++i) std::memcpy(to + i * to_row, &rows[i], sizeof rows[i]);
}
ETCH_INLINE void transpose(const double* from, index from_row, double* to, index to_row) noexcept {
  const pair<double> a = load_pair(from, from + 2 * from_row);
  const pair<double> b = load_pair(from + from_row, from + 3 * from_row);
  const pair<double> rows[2] = {__builtin_shufflevector(a, b, 0, 4, 2, 6), __builtin_shufflevector(a, b, 1, 5, 3, 7)};
  ETCH_UNROLL(2)
  for (index i = 0; i < 2; ++i) std::memcpy(to + i * to_row, &rows[i], sizeof rows[i]);
}

template <class T>
inline constexpr index transpose_columns = 32 / static_cast<index>(sizeof(T));
#else
ETCH_INLINE void transpose(const float* from, index from_row, float* to, index to_row) noexcept {
  quarter<float> a, b, c, d;
  std::memcpy(&a, from, sizeof a);
  std::memcpy(&b, from + from_row, sizeof b);
  std::memcpy(&c, from + 2 * from_row, sizeof c);
  std::memcpy(&d, from + 3 * from_row, sizeof d);
  const quarter<float> low_ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const quarter<float> high_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const quarter<float> low_cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const quarter<float> high_cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const quarter<float> rows[4] = {
      __builtin_shufflevector(low_ab, low_cd, 0, 1, 4, 5), __builtin_shufflevector(low_ab, low_cd, 2, 3, 6, 7),
      __builtin_shufflevector(high_ab, high_cd, 0, 1, 4, 5), __builtin_shufflevector(high_ab, high_cd, 2, 3, 6, 7)};
  ETCH_UNROLL(4)
  for (index i = 0; i < 4; ++i) std::memcpy(to + i * to_row, &rows[i], sizeof rows[i]);
}
ETCH_INLINE void transpose(const double* from, index from_row, double* to, index to_row) noexcept {
  quarter<double> a, b;
  std::memcpy(&a, from, sizeof a);
  std::memcpy(&b, from + from_row, sizeof b);
  const quarter<double> rows[2] = {__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3)};
  ETCH_UNROLL(2)
  for (index i = 0; i < 2; ++i) std::memcpy(to + i * to_row, &rows[i], sizeof rows[i]);
}

template <class T>
inline constexpr index transpose_columns = 16 / static_cast<index>(sizeof(T));
#endif

/// to[r * width + j], as pack_rows, for any strides of b; fast where b.row_stride is 1.
template <class T>
ETCH_NOINLINE void pack_columns(const matrix<T>& b, index rows, index columns, index width,
                                T* ETCH_RESTRICT to) noexcept {
  constexpr index high = 16 / static_cast<index>(sizeof(T));
  constexpr index wide = transpose_columns<T>;
  constexpr index line = 64 / static_cast<index>(sizeof(T));
  const index whole_rows = b.row_stride == 1 ? rows / high * high : 0;
  const index whole_columns = b.row_stride == 1 ? columns / wide * wide : 0;
  // A cache line of each column at a time: at strides of a power of two, lines of 16 columns do not stay in L1 (1.5
  // cycles per element instead of 0.6). The hardware does not foresee so many streams, hence the prefetch (0.3 instead
  // of 0.4 at other strides).
  index r = 0;
  for (; r + line <= whole_rows; r += line) {
    const index ahead = r + line < rows ? line : 0;
    for (index j = 0; j < whole_columns; j += wide) {
      const T* const from = b.data + j * b.column_stride + r;
      T* const at = to + r * width + j;
      ETCH_UNROLL(8)
      for (index q = 0; q < wide; ++q) __builtin_prefetch(from + ahead + q * b.column_stride);
      ETCH_UNROLL(4)
      for (index q = 0; q < line; q += high) transpose(from + q, b.column_stride, at + q * width, width);
    }
  }
  for (; r < whole_rows; r += high) {
    for (index j = 0; j < whole_columns; j += wide) {
      transpose(b.data + j * b.column_stride + r, b.column_stride, to + r * width + j, width);
    }
  }
  for (r = 0; r < rows; ++r) {
    T* const row = to + r * width;
    for (index j = r < whole_rows ? whole_columns : 0; j < columns; ++j) row[j] = *element(b, r, j);
    for (index j = columns; j < width; ++j) row[j] = T(0);
  }
}

}  // namespace etch::cpu::matmul_detail
