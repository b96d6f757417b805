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
  /// With fewer rows than this b is read where it lies, or packed for few uses. Then each block should stay in L1 for all of them, and its
  /// rows, which may be pages apart, in the nearer TLB: 16, 32 and 50 rows times 3136 x 1024 take 0.33, 0.42 and 0.5 of the time (Zen 3).
  static constexpr index few_rows = 64;
  static constexpr index shallow = 16 * line;
  static constexpr index rows = 96;
  /// Rows for which a packed block of b serves where k exceeds `depth` and partial sums are stored.
  static constexpr index outer_rows = 8 * rows;
  static constexpr index columns = 512;
  /// Packed elements of b up to which the stack serves: 32 KiB.
  static constexpr index on_stack = 512 * line;
};

/// Whether rows of a are packed. is_deep: whether a is contiguous along them; otherwise each p of a tile lies in another cache line, which
/// the next rows share. For as many columns and rows as this it pays to copy them.
constexpr bool packs_rows(index m, index n, bool is_deep) noexcept { return !is_deep && n >= 192 && m >= 256; }

/// How much is summed at a time: not packed, a block of such lines should stay in L1 as well. Transposed, 800 x 9800 x 64 takes 0.45 of the
/// time of a full depth, 100 x 1024 x 784 0.85 (Zen 3).
template <class T>
constexpr index block_depth(index m, index n, bool is_deep) noexcept {
  const bool is_shallow = m < block_shape<T>::few_rows || (!is_deep && !packs_rows(m, n, is_deep));
  return is_shallow ? block_shape<T>::shallow : block_shape<T>::depth;
}

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
constexpr index partial_sums_size(index m, index n, index k, bool is_deep) noexcept {
  using shape = block_shape<T>;
  return k <= block_depth<T>(m, n, is_deep) ? 0 : minimum(m, shape::outer_rows) * minimum(round_up(n, lanes<T>), shape::columns);
}
template <class T>
constexpr index blocked_workspace(index m, index n, index k, bool is_deep) noexcept {
  using shape = block_shape<T>;
  const index b = packed_b_size<T>(n, k), sums = partial_sums_size<T>(m, n, k, is_deep);
  // Of the transposed product, where it is computed instead: it packs no more than the columns that fill no register.
  const index others = n <= 4 && m > n ? partial_sums_size<T>(n, m, k, is_deep) : 0;
  if (b <= shape::on_stack && sums + others == 0) return 0;
  return b + packed_a_size<T>(m, k) + (sums > others ? sums : others) + 4 * shape::line;
}

template <class T>
ETCH_INLINE T* aligned(T* p) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  return p + static_cast<index>((64 - address % 64) % 64 / sizeof(T));
}

/// One panel of b times all rows of a block of a. i, j: where the product lies in the whole one.
/// finish: whether these are the last p, and the sums go to `to`; otherwise they go to task.out.
template <bool IsIndirect = false, class T>
ETCH_INLINE void multiply_panel(tile_task<T>& task, index rows, const panel& of, index i, index j, bool finish,
                                const sink<T>& to) noexcept {
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
  const index* const row_offsets = task.row_offsets;
  while (rows > 0) {
    const int size = size_class(rows, tile_shape<T>::rows);
    const index height = size_in_class(size, tile_shape<T>::rows);
    tile_for<T, IsIndirect>(size, of)(task);
    rows -= height;
    if (give) {
      to.give(to.epilogue, i, j, height, of.columns, sums, task.out_row);
    } else {
      task.out += height * task.out_row;
    }
    i += height;
    if constexpr (IsIndirect)
      task.row_offsets += height;
    else
      task.a += height * task.a_row;
    if (task.start != nullptr) task.start += height * task.start_row;
  }
  task.a = a;
  task.row_offsets = row_offsets;
}

/// For operands that are read where they lie: rows of b contiguous, whole registers where loads have no masks.
template <class T>
ETCH_NOINLINE void unblocked(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, const sink<T>& to) noexcept {
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

/// A product by blocks: of columns of b, of rows and of depth, each as large as the caches take, and within a block by panels of
/// b, each of which meets all rows of a block of a. Operands are copied where their layout is slow.
template <class T>
class blocked_product {
  using shape = block_shape<T>;
  static constexpr index L = lanes<T>;

 public:
  /// workspace: as `blocked`; stack: `shape::on_stack` elements, for where there is none.
  ETCH_INLINE blocked_product(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, T* workspace, T* stack,
                              const sink<T>& to) noexcept
      : m_(m), n_(n), k_(k), a_(a), b_(b), to_(to), most_(m == 1 ? tile_shape<T>::single_row_vectors : tile_shape<T>::vectors),
        packs_a_(workspace != nullptr && a.row_stride == 1 && packs_rows(m, n, a.column_stride == 1)),
        packs_b_(b.column_stride != 1 || (k * n > 65536 && m >= (has_conflicts(b) ? 32 : shape::few_rows))),
        depth_(block_depth<T>(m, n, a.column_stride == 1)), packed_b_(stack) {
    if (workspace == nullptr) return;
    packed_b_ = aligned(workspace);
    packed_a_ = packed_b_ + round_up(packs_b_ ? packed_b_size<T>(n, k) : packed_b_size<T>(1, k), shape::line);
    partial_ = packed_a_ + packed_a_size<T>(m, k);
  }

  ETCH_INLINE void run() noexcept {
    // Partial sums of all rows would not stay in a cache.
    const index outer_rows = k_ > depth_ ? shape::outer_rows : m_;
    for (index j = 0; j < n_; j += shape::columns)
      for (index i = 0; i < m_; i += outer_rows)
        for (index p = 0; p < k_; p += depth_)
          add_block({i, minimum(m_ - i, outer_rows), j, minimum(n_ - j, shape::columns), p, minimum(k_ - p, depth_)});
  }

 private:
  /// Whether rows lie so far apart that few of them have room in L1: its sets repeat each 4 KiB, in most CPUs.
  static constexpr bool has_conflicts(const matrix<T>& b) noexcept {
    return b.row_stride * static_cast<index>(sizeof(T)) % 2048 == 0;
  }

  /// Rows from i on, columns from j on, and what they sum from p on.
  struct extent {
    index i, rows, j, columns, p, depth;
  };

  ETCH_INLINE void add_block(const extent& e) noexcept {
    for (index i = e.i; i < e.i + e.rows; i += shape::rows) {
      const index rows = minimum(e.i + e.rows - i, shape::rows);
      tile_task<T> task;
      task.depth = e.depth;
      read_left(task, i, rows, e.p);
      panel now;
      for (index j = 0; j < e.columns; j += now.columns) {
        now = next_panel<T>(e.columns - j, most_);
        read_right(task, now, e, j, i == e.i);
        keep_sums(task, e, i, j);
        multiply_panel(task, rows, now, i, e.j + j, e.p + e.depth == k_, to_);
      }
    }
  }
  /// The block of a, packed or where it lies.
  ETCH_INLINE void read_left(tile_task<T>& task, index i, index rows, index p) noexcept {
    matrix<T> left = block(a_, i, p);
    if (packs_a_) {
      const index row = packed_a_row<T>(rows);
      pack_rows(transposed(left), task.depth, rows, rows, packed_a_, row);
      left = {packed_a_, 1, row};
    }
    task.a = left.data;
    task.a_row = left.row_stride;
    task.a_column = left.column_stride;
  }
  /// The panel of b from column j of the block on: where it lies, or packed, once for all rows of the block, or each time anew where
  /// only the columns are packed that fill no register.
  ETCH_INLINE void read_right(tile_task<T>& task, const panel& now, const extent& e, index j, bool is_first) noexcept {
    task.b = element(b_, e.p, e.j + j);
    task.b_row = b_.row_stride;
    if (!packs_b_ && (has_masked_loads || now.columns % L == 0)) return;
    T* const slot = packs_b_ ? packed_b_ + j * task.depth : packed_b_;
    const index width = now.registers * L;
    if (is_first || !packs_b_) {
      const matrix<T> right = block(b_, e.p, e.j + j);
      if (b_.column_stride == 1) {
        pack_rows(right, task.depth, now.columns, width, slot, width);
      } else {
        pack_columns(right, task.depth, now.columns, width, slot);
      }
    }
    task.b = slot;
    task.b_row = width;
  }
  /// Where the sums of earlier p lie, and those of this p go unless they are the last.
  ETCH_INLINE void keep_sums(tile_task<T>& task, const extent& e, index i, index j) noexcept {
    const index row = round_up(e.columns, L);
    T* const sums = partial_ == nullptr ? nullptr : partial_ + (i - e.i) * row + j;
    task.start = e.p == 0 ? nullptr : sums;
    task.start_row = row;
    task.out = sums;
    task.out_row = row;
  }

  const index m_, n_, k_;
  const matrix<T>&a_, &b_;
  const sink<T>& to_;
  const index most_;  ///< registers of a panel
  const bool packs_a_, packs_b_;
  const index depth_;
  T* packed_b_;
  T* packed_a_ = nullptr;
  T* partial_ = nullptr;
};

/// workspace: blocked_workspace(m, n, k, a.column_stride == 1) elements, or nullptr where that is 0.
template <class T>
ETCH_NOINLINE void blocked(index m, index n, index k, const matrix<T>& a, const matrix<T>& b, T* workspace,
                           const sink<T>& to) noexcept {
  alignas(64) T stack[block_shape<T>::on_stack];
  blocked_product<T>(m, n, k, a, b, workspace, stack, to).run();
}

}  // namespace etch::cpu::matmul_detail
