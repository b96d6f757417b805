// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <etch/backend/cpu/matmul/micro_kernel.hpp>

namespace etch::cpu::matmul_detail {

/// Sums for some rows and some registers of columns: out[i] = start[i] + sum over p of a[row_offsets[i] + steps[p].a] * b[steps[p].b].
template <class T>
struct columnwise_task {
  index depth;
  const T *a, *b;
  const index* row_offsets;
  const tile_step* steps;
  const T* start;  ///< nullptr: zeros
  T* out;
  index start_row, out_row;
  int last;  ///< lanes in use, where a tile has part of a register
};

template <class T>
struct columnwise_shape {
  /// Rows of a tile, each of which loads the register of b that all share. 9, for windows of 3 x 3 are 9 rows of a kernel's gradient.
  static constexpr index rows = tile_shape<T>::has_32_registers ? 9 : 5;
  static constexpr index vectors = 2;
  /// What is summed at a time, by tables on the stack. What so many places of windows need stays in L2 for the next columns.
  static constexpr index depth = 512;
  /// Rows whose places in the image stay in L1 for as many registers as a tile has.
  static constexpr index block_rows = 96;
};

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
  ETCH_UNROLL(16)
  for (std::size_t i = 0; i < Rows; ++i) {
    const auto row = static_cast<index>(i);
    if (task.start != nullptr) add_stored_row(sum[i], task.start + row * task.start_row);
    store_row(task.out + row * task.out_row, sum[i]);
  }
}

/// By rows: 1, 3, as many as a tile has.
template <class T, std::size_t Vectors, bool IsPart>
inline constexpr std::array<void (*)(const columnwise_task<T>&) noexcept, 3> columnwise_tiles = {
    &columnwise_tile<T, 1, Vectors, IsPart>, &columnwise_tile<T, 3, Vectors, IsPart>,
    &columnwise_tile<T, static_cast<std::size_t>(columnwise_shape<T>::rows), Vectors, IsPart>};

}  // namespace etch::cpu::matmul_detail
