// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <etch/backend/cpu/matmul/micro_kernel.hpp>

namespace etch::cpu::matmul_detail {

/// Sums for some rows and some registers of columns: out[i] = start[i] + sum over p of a[row_offsets[i] + steps[p].a] * b[steps[p].b], and what
/// the sink does to them, in whole registers.
template <class T>
struct columnwise_task {
  index depth;
  const T *a, *b;
  const index* row_offsets;
  const tile_step* steps;
  const T* start;  ///< nullptr: zeros
  T* out;
  index start_row, out_row;
  const T* added = nullptr;
  index added_row = 0;
  bool relu = false;
  T high = 0;
  int last;  ///< lanes in use, where a tile has part of a register
};

template <class T>
struct columnwise_shape {
  /// Rows of a tile, each of which loads the register of b that all share. 9, for windows of 3 x 3 are 9 rows of a kernel's gradient.
  static constexpr index rows = tile_shape<T>::has_32_registers ? 9 : 5;
  static constexpr index vectors = 2, single_row_vectors = 4;
  /// Columns of short sums that are computed and given together: of 5 and 9 rows they stay in L1.
  static constexpr index panel = 128, short_depth = 32;
  /// What is summed at a time, by tables on the stack. What so many places of windows need stays in L2 for the next columns.
  static constexpr index depth = 512;
  /// Rows whose places in the image stay in L1 for as many registers as a tile has.
  static constexpr index block_rows = 96;
};

/// NaN stays NaN; high is neither that nor 0.
template <class V, std::size_t Vectors>
ETCH_INLINE void limit_row(V (&sum)[Vectors], const V& high) noexcept {
  ETCH_UNROLL(16)
  for (std::size_t v = 0; v < Vectors; ++v) sum[v] = cpu::detail::smaller(high, sum[v]);
}

template <class T, std::size_t Rows, std::size_t Vectors, bool IsPart>
ETCH_NOINLINE void columnwise_tile(const columnwise_task<T>& task) noexcept {
  using V = vector<T>;
  static_assert(!IsPart || Vectors == 1);
  const part<V> last(IsPart ? task.last : static_cast<int>(lanes<T>));
  const auto load = [&](const T* from) ETCH_INLINED {
    if constexpr (IsPart)
      return last.load(from);
    else
      return V::load_unaligned(from);
  };
  V sum[Rows][Vectors];
  const T* a[Rows];
  ETCH_UNROLL(16)
  for (std::size_t i = 0; i < Rows; ++i) {
    clear_row(sum[i]);
    a[i] = task.a + task.row_offsets[i];
  }
  for (index p = 0; p < task.depth; ++p) {
    const T* const b = task.b + task.steps[p].b;
    const index at = task.steps[p].a;
    V right[Vectors];
    ETCH_UNROLL(16)
    for (std::size_t v = 0; v < Vectors; ++v) right[v] = load(b + static_cast<index>(v) * lanes<T>);
    ETCH_UNROLL(16)
    for (std::size_t i = 0; i < Rows; ++i) {
      ETCH_UNROLL(16)
      for (std::size_t v = 0; v < Vectors; ++v)
        sum[i][v] = simd::fma(load(a[i] + at + static_cast<index>(v) * lanes<T>), right[v], sum[i][v]);
    }
  }
  const T *start = task.start, *added = task.added;
  const index start_row = task.start_row, added_row = task.added_row, out_row = task.out_row;
  const V high(task.high);
  const bool has_relu = task.relu, has_high = task.high != 0;
  T* out = task.out;
  ETCH_UNROLL(16)
  for (std::size_t i = 0; i < Rows; ++i, out += out_row) {
    if (start != nullptr) add_stored_row(sum[i], start + static_cast<index>(i) * start_row);
    if constexpr (!IsPart) {
      if (added != nullptr) add_stored_row(sum[i], added + static_cast<index>(i) * added_row);
      if (has_relu) relu_row(sum[i]);
      if (has_high) limit_row(sum[i], high);
    }
    store_row(out, sum[i]);
  }
}

/// Rows of tiles.
template <class T>
inline constexpr index columnwise_heights[] = {1, 2, 3, columnwise_shape<T>::rows};
template <class T, std::size_t Vectors, bool IsPart>
inline constexpr std::array<void (*)(const columnwise_task<T>&) noexcept, 4> columnwise_tiles = {
    &columnwise_tile<T, 1, Vectors, IsPart>, &columnwise_tile<T, 2, Vectors, IsPart>, &columnwise_tile<T, 3, Vectors, IsPart>,
    &columnwise_tile<T, static_cast<std::size_t>(columnwise_shape<T>::rows), Vectors, IsPart>};

}  // namespace etch::cpu::matmul_detail
