// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/matmul/pack.hpp>
#include <etch/backend/cpu/matmul/sink.hpp>

/// The matrix product as loops over tiles: blocks for the caches, copies of operands where their layout is slow.
namespace etch::cpu::matmul_detail {

/// Extents of blocks.
template <class T>
struct block_shape {
  static constexpr index line = 64 / static_cast<index>(sizeof(T));
  /// A panel of b, depth * tile_shape::columns, takes a quarter of 1 MiB of L2. Tiles run at their full speed with b in
  /// L2, and half the depth costs 4 % at n = 2048 for the sums that are stored and read again.
  static constexpr index depth = 128 * line;
  static constexpr index rows = 96;
  /// Rows for which a packed block of b serves where k exceeds `depth` and partial sums are stored.
  static constexpr index outer_rows = 8 * rows;
  static constexpr index columns = 512;
  /// Packed elements of b up to which the stack serves: 32 KiB.
  static constexpr index on_stack = 512 * line;
};

/// Sizes of the pieces of the workspace, in elements. b: at least one register wide.
template <class T>
constexpr index packed_b_size(index n, index k) noexcept {
  using shape = block_shape<T>;
  return minimum(k, shape::depth) * minimum(round_up(n, lanes<T>), shape::columns);
}
template <class T>
constexpr index packed_a_row(index rows) noexcept {
  using shape = block_shape<T>;
  return round_up(rows, shape::line) + shape::line;
}
template <class T>
constexpr index packed_a_size(index m, index k) noexcept {
  using shape = block_shape<T>;
  return packed_a_row<T>(minimum(m, shape::rows)) * minimum(k, shape::depth);
}
template <class T>
constexpr index partial_sums_size(index m, index n, index k) noexcept {
  using shape = block_shape<T>;
  return k <= shape::depth ? 0 : minimum(m, shape::outer_rows) * minimum(round_up(n, lanes<T>), shape::columns);
}
template <class T>
constexpr index blocked_workspace(index m, index n, index k) noexcept {
  using shape = block_shape<T>;
  const index b = packed_b_size<T>(n, k);
  if (b <= shape::on_stack && k <= shape::depth) return 0;
  return b + packed_a_size<T>(m, k) + partial_sums_size<T>(m, n, k) + 4 * shape::line;
}

template <class T>
ETCH_INLINE T* aligned(T* p) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  return p + static_cast<index>((64 - address % 64) % 64 / sizeof(T));
}

/// One panel of b times all rows of a block of a. i, j: where the product lies in the whole one.
/// finish: whether these are the last p, and the sums go to `to`; otherwise they go to task.out.
template <class T>
ETCH_INLINE void multiply_panel(tile_task<T>& task, index rows, const panel& of, index i, index j,
                                bool finish, const sink<T>& to) noexcept {
  constexpr index L = lanes<T>;
  alignas(64) T sums[tile_shape<T>::elements];
  task.last = static_cast<int>(of.columns - (of.registers - 1) * L);
  task.is_out_exact = finish && to.direct != nullptr && (has_avx512 || task.last == L);
  const bool give = finish && !task.is_out_exact;
  if (task.is_out_exact) {
    task.out = to.direct + i * to.direct_row + j;
    task.out_row = to.direct_row;
  } else if (finish) {
    task.out = sums;
    task.out_row = of.registers * L;
  }
  const T* const a = task.a;
  while (rows > 0) {
    const int size = size_class(rows, tile_shape<T>::rows);
    const index height = size_in_class(size, tile_shape<T>::rows);
    tile_for<T>(size, of)(task);
    rows -= height;
    if (give) {
      to.give(to.epilogue, i, j, height, of.columns, sums, task.out_row);
    } else {
      task.out += height * task.out_row;
    }
    i += height;
    task.a += height * task.a_row;
    if (task.start != nullptr) task.start += height * task.start_row;
  }
  task.a = a;
}

/// For operands that are read where they lie: rows of b contiguous, whole registers where loads have no masks.
template <class T>
ETCH_NOINLINE void unblocked(index m, index n, index k, const matrix<T>& a, const matrix<T>& b,
                             const sink<T>& to) noexcept {
  const index most = m == 1 ? tile_shape<T>::single_row_vectors : tile_shape<T>::vectors;
  tile_task<T> task;
  task.depth = k;
  task.a = a.data;
  task.a_row = a.row_stride;
  task.a_column = a.column_stride;
  task.b = b.data;
  task.b_row = b.row_stride;
  task.start = nullptr;
  for (index j = 0; j < n;) {
    const panel now = next_panel<T>(n - j, most);
    multiply_panel(task, m, now, 0, j, true, to);
    task.b += now.columns;
    j += now.columns;
  }
}

/// workspace: blocked_workspace(m, n, k) elements, or nullptr where that is 0. The transposed product, where n <= 4 and
/// m > n, fits the same workspace: it packs no more of b than the columns that fill no register.
template <class T>
ETCH_NOINLINE void blocked(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, T* workspace,
                           const sink<T>& to) noexcept {
  using shape = block_shape<T>;
  constexpr index L = lanes<T>;
  const index most = m == 1 ? tile_shape<T>::single_row_vectors : tile_shape<T>::vectors;
  const bool pack_b = b.column_stride != 1 || (m >= 64 && k * n > 65536);
  const bool pack_a = workspace != nullptr && a.row_stride == 1 && n >= 192 && m > 1;
  alignas(64) T stack[shape::on_stack];
  T* packed_b = stack;
  T* packed_a = nullptr;
  T* partial = nullptr;
  if (workspace != nullptr) {
    packed_b = aligned(workspace);
    packed_a = packed_b + round_up(pack_b ? packed_b_size<T>(n, k) : packed_b_size<T>(1, k), shape::line);
    partial = packed_a + packed_a_size<T>(m, k);
  }

  const index outer_rows = k > shape::depth ? shape::outer_rows : m;
  for (index j0 = 0; j0 < n; j0 += shape::columns) {
    const index columns = minimum(n - j0, shape::columns);
    const index partial_row = round_up(columns, L);
    for (index o0 = 0; o0 < m; o0 += outer_rows) {
      const index o1 = minimum(m, o0 + outer_rows);
      for (index p0 = 0; p0 < k; p0 += shape::depth) {
        tile_task<T> task;
        task.depth = minimum(k - p0, shape::depth);
        const bool finish = p0 + task.depth == k;
        for (index i0 = o0; i0 < o1; i0 += shape::rows) {
          const index rows = minimum(o1 - i0, shape::rows);
          matrix<T> left = block(a, i0, p0);
          if (pack_a) {
            const index row = packed_a_row<T>(rows);
            pack_rows(transposed(left), task.depth, rows, rows, packed_a, row);
            left = {packed_a, 1, row};
          }
          panel now;
          for (index j = 0; j < columns; j += now.columns) {
            now = next_panel<T>(columns - j, most);
            task.a = left.data;
            task.a_row = left.row_stride;
            task.a_column = left.column_stride;
            task.b = element(b, p0, j0 + j);
            task.b_row = b.row_stride;
            if (pack_b || (!has_masked_loads && now.columns % L != 0)) {
              T* const slot = pack_b ? packed_b + j * task.depth : packed_b;
              const index width = now.registers * L;
              if (i0 == o0 || !pack_b) {
                const matrix<T> right = block(b, p0, j0 + j);
                if (b.column_stride == 1) {
                  pack_rows(right, task.depth, now.columns, width, slot, width);
                } else {
                  pack_columns(right, task.depth, now.columns, width, slot);
                }
              }
              task.b = slot;
              task.b_row = width;
            }
            T* const sums = partial == nullptr ? nullptr : partial + (i0 - o0) * partial_row + j;
            task.start = p0 == 0 ? nullptr : sums;
            task.start_row = partial_row;
            task.out = sums;
            task.out_row = partial_row;
            multiply_panel(task, rows, now, i0, j0 + j, finish, to);
          }
        }
      }
    }
  }
}

}  // namespace etch::cpu::matmul_detail
