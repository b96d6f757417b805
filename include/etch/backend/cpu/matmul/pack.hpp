// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/simd/transpose.hpp>

/// Copies of blocks of a and b in the order in which the tile kernel reads them.
namespace etch::cpu {

/// An operand that has no memory of its own.
template <class T>
struct packed_operand {
  /// Elements [i, i + rows) x [j, j + columns), by panels of `width` columns, one behind the other, whole registers: element (r, c) is
  /// written to to[c / width * rows * width + r * width + c % width]. Or width is `columns`: then rows lie behind one another,
  /// are written one after the other, and up to a register behind the last is written as well.
  using function = void (*)(const void* from, index i, index rows, index j, index columns, index width, T* to) noexcept;
  const void* from = nullptr;
  function compute = nullptr;  ///< null: it lies in memory

  void operator()(index i, index rows, index j, index columns, index width, T* to) const noexcept {
    compute(from, i, rows, j, columns, width, to);
  }
};
template <class T>
struct packed_operands {
  packed_operand<T> left, right;
};

namespace matmul_detail {

/// Of a loop of loads and stores alone g++ makes calls of memmove, of 192 bytes each: 32 x 784 x 512 takes 0.91 of the time without
/// (Emerald Rapids).
template <class V, class T>
ETCH_INLINE void copy_register(const T* from, T* to) noexcept {
  V v = V::load_unaligned(from);
  keep_in_register(v);
  v.store_unaligned(to);
}

/// Panels of `width` columns, whole registers, `panel` elements apart: element (r, j) goes to row r of panel j / width. `columns`: those of
/// whole panels. b.column_stride is 1. Row by row of all panels, since memory gives rows that lie far apart at a third of its speed by
/// 128 bytes: 50 x 3136 x 1024 takes 0.93 of the time by four panels of 32 columns, 50 x 1000 x 1000 0.85, 32 x 4096 x 4096 0.86 (Zen 5).
template <class T>
ETCH_NOINLINE void pack_panels(const matrix<T>& b, index rows, index columns, index width, T* ETCH_RESTRICT to,
                               index panel) noexcept {
  using V = vector<T>;
  const T* row = b.data;
  for (index r = 0; r < rows; ++r, row += b.row_stride, to += width) {
    T* panel_row = to;
    for (index j = 0; j < columns; j += width, panel_row += panel)
      for (index c = 0; c < width; c += lanes<T>) copy_register<V>(row + j + c, panel_row + c);
  }
}

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
    for (index j = 0; j < whole; j += L) copy_register<V>(row + j, to + j);
    if (whole == columns) continue;
    if (columns < width) {
      rest.load(row + whole).store_unaligned(to + whole);
    } else {
      rest.store(to + whole, rest.load(row + whole));
    }
  }
}

/// Tiles of rows of a column-major a (a.row_stride is 1): of the tile that begins at row i, element (i + r, p) goes to to[i * depth
/// + p * height + r], so that a step of the tile kernel reads what the step before has brought.
template <class T>
ETCH_NOINLINE void pack_tiles(const matrix<T>& a, index rows, index depth, T* ETCH_RESTRICT to) noexcept {
  constexpr index most = tile_shape<T>::rows, steps = 64;
  for (index p = 0; p < depth; p += steps) {
    const index past = minimum(depth, p + steps);
    for (index i = 0, height = 0; i < rows; i += height) {
      height = size_in_class(size_class(rows - i, most), most);
      const T* from = a.data + i + p * a.column_stride;
      T* tile = to + i * depth + p * height;
      if (height == most) {
        for (index q = p; q < past; ++q, from += a.column_stride, tile += most) std::memcpy(tile, from, most * sizeof(T));
      } else {
        for (index q = p; q < past; ++q, from += a.column_stride, tile += height)
          for (index r = 0; r < height; ++r) tile[r] = from[r];
      }
    }
  }
}

#if defined(__AVX__)
/// Each register has a row in its lower half and the fourth row after it in its upper one.
using floats = __m256;
inline constexpr index transposed_bytes = 32;
#else
using floats = cpu::detail::four_floats;
inline constexpr index transposed_bytes = 16;
#endif
template <class T>
inline constexpr index transpose_columns = transposed_bytes / static_cast<index>(sizeof(T));

/// to[i * to_row + j] = from[j * from_row + i] for i < 16 / sizeof(T), j < transpose_columns<T>.
ETCH_INLINE void transpose(const float* from, index from_row, float* to, index to_row) noexcept {
  floats x[4];
  const index stride = from_row * static_cast<index>(sizeof(float));
  ETCH_UNROLL(4)
  for (index i = 0; i < 4; ++i) cpu::detail::rows_to(x[i], reinterpret_cast<const char*>(from) + i * stride, stride);
  cpu::detail::transpose(x);
  ETCH_UNROLL(4)
  for (index i = 0; i < 4; ++i) std::memcpy(to + i * to_row, &x[i], sizeof x[i]);
}
ETCH_INLINE void transpose(const double* from, index from_row, double* to, index to_row) noexcept {
#if defined(__AVX__)
  // g++ 12 does not see a load of half a register in a shuffle of two halves, and packs at half the speed.
  const auto two_rows = [](const double* low, const double* high) ETCH_INLINED {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
  };
  const __m256d a = two_rows(from, from + 2 * from_row), b = two_rows(from + from_row, from + 3 * from_row);
  const __m256d rows[2] = {_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b)};
#else
  using two = plain_vector<double, 2>::type;
  two a, b;
  std::memcpy(&a, from, sizeof a);
  std::memcpy(&b, from + from_row, sizeof b);
  const two rows[2] = {__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3)};
#endif
  std::memcpy(to, &rows[0], sizeof rows[0]);
  std::memcpy(to + to_row, &rows[1], sizeof rows[1]);
}

/// to[r * to_row + j], as pack_rows, for any strides of b; fast where b.row_stride is 1.
template <class T>
ETCH_NOINLINE void pack_columns(const matrix<T>& b, index rows, index columns, index width, T* ETCH_RESTRICT to,
                                index to_row) noexcept {
  constexpr index high = 16 / static_cast<index>(sizeof(T));
  constexpr index wide = transpose_columns<T>;
  constexpr index line = 64 / static_cast<index>(sizeof(T));
  const index whole_rows = b.row_stride == 1 ? rows / high * high : 0;
  const index whole_columns = b.row_stride == 1 ? columns / wide * wide : 0;
  // A cache line of each column at a time: at strides of a power of two, lines of 16 columns do not stay in L1 (1.5 cycles per
  // element instead of 0.6). The hardware prefetcher does not follow so many streams, hence the software prefetch (0.3 instead of
  // 0.4 at other strides).
  index r = 0;
  for (; r + line <= whole_rows; r += line) {
    const index ahead = r + line < rows ? line : 0;
    for (index j = 0; j < whole_columns; j += wide) {
      const T* const from = b.data + j * b.column_stride + r;
      T* const at = to + r * to_row + j;
      ETCH_UNROLL(8)
      for (index q = 0; q < wide; ++q) __builtin_prefetch(from + ahead + q * b.column_stride);
      ETCH_UNROLL(4)
      for (index q = 0; q < line; q += high) transpose(from + q, b.column_stride, at + q * to_row, to_row);
    }
  }
  for (; r < whole_rows; r += high) {
    for (index j = 0; j < whole_columns; j += wide) {
      transpose(b.data + j * b.column_stride + r, b.column_stride, to + r * to_row + j, to_row);
    }
  }
  for (r = 0; r < rows; ++r) {
    T* const row = to + r * to_row;
    for (index j = r < whole_rows ? whole_columns : 0; j < columns; ++j) row[j] = *element(b, r, j);
    for (index j = columns; j < width; ++j) row[j] = T(0);
  }
}

}  // namespace matmul_detail
}  // namespace etch::cpu
