// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/axis_group.hpp>
#include <etch/backend/cpu/matmul/blocked.hpp>

/// The product of grouped matrices: tiles find the first operand by tables of offsets, so that windows that overlap are read from the
/// cache that they share. To copy them into rows would read and write as many times what the image has as a window has elements.
namespace etch::cpu::matmul_detail {

/// Elements of T that a table of offsets takes.
template <class T>
constexpr index table_size(index count) noexcept {
  return round_up(count * static_cast<index>(sizeof(index)) / static_cast<index>(sizeof(T)), block_shape<T>::line);
}
/// How much is summed at a time. Where each place of a takes a cache line of its own, so many lines as stay in L1 for the next rows, which
/// lie in them too: 8 KiB. The gradient of a kernel of 5 x 5 x 32 x 64 takes 1.3 times as long at the full depth (Zen 3).
template <class T>
constexpr index indirect_depth(bool is_deep) noexcept {
  return is_deep ? block_shape<T>::depth : 128;
}
template <class T>
constexpr index indirect_workspace(index m, index n, index k, bool is_deep) noexcept {
  using shape = block_shape<T>;
  const index depth = indirect_depth<T>(is_deep), columns = minimum(round_up(n, lanes<T>), shape::columns);
  const index sums = k <= depth ? 0 : minimum(m, shape::outer_rows) * columns;
  return round_up(minimum(k, depth) * columns, shape::line) + table_size<T>(minimum(k, depth)) + sums + shape::line;
}

template <class T>
class indirect_product {
  using shape = block_shape<T>;
  static constexpr index L = lanes<T>;

 public:
  ETCH_INLINE indirect_product(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const product_team<T>& team,
                               const sink<T>& to) noexcept
      : m_(a.rows.size()), n_(b.columns.size()), k_(a.columns.size()), a_(a), b_(b), threads_(team.threads), to_(to),
        column_stride_(b.columns.strides[0]), depth_(indirect_depth<T>(a.columns.is_contiguous())) {
    const index deep = minimum(k_, depth_), columns = minimum(round_up(n_, L), shape::columns);
    packed_b_ = aligned(team.workspace);
    T* const table = packed_b_ + round_up(deep * columns, shape::line);
    offsets_ = reinterpret_cast<index*>(table);
    if (k_ > depth_) partial_ = table + table_size<T>(deep);
  }

  ETCH_INLINE void run() noexcept {
    const index outer_rows = k_ > depth_ ? shape::outer_rows : m_;
    for (index j = 0; j < n_; j += shape::columns)
      for (index i = 0; i < m_; i += outer_rows)
        for (index p = 0; p < k_; p += depth_) {
          const extent e{i, minimum(m_ - i, outer_rows), j, minimum(n_ - j, shape::columns), p, minimum(k_ - p, depth_)};
          a_.columns.offsets(p, e.depth, offsets_);
          add_block(e);
        }
  }

 private:
  using range = product_shares::range;

  struct extent {
    index i, rows, j, columns, p, depth;
  };

  ETCH_INLINE void add_block(const extent& e) noexcept {
    if (is_shared(threads_, e.rows * e.columns * e.depth))
      share_block(e);
    else
      multiply(e, {0, e.rows}, every_panel, true);
  }
  ETCH_NOINLINE void share_block(const extent& e) noexcept {
    const product_shares shares = share_product(e.rows, count_panels<T>(e.columns, tile_shape<T>::vectors), tile_shape<T>::rows,
                                                shape::rows, threads_->workers());
    const int parts = static_cast<int>(minimum(shares.panels, 2 * threads_->workers()));
    run_tasks(*threads_, parts, [&](int task, int) {
      for_each_panel<T>(e.columns, tile_shape<T>::vectors, product_shares::part(task, parts, shares.panels),
                        [&](const panel& now, index j) { pack(now, e, j); });
    });
    run_tasks(*threads_, shares.count(), [&](int task, int) { multiply(e, shares.rows_of(task), shares.panels_of(task), false); });
  }

  /// Rows and panels of a block. packs: whether b is packed on the way.
  ETCH_INLINE void multiply(const extent& e, range all, range panels, bool packs) noexcept {
    index row_offsets[shape::rows];
    tile_task<T> task;
    task.depth = e.depth;
    task.a = a_.data;
    task.row_offsets = row_offsets;
    task.offsets = offsets_;
    for (index i = all.first; i < all.last; i += shape::rows) {
      const index rows = minimum(all.last - i, shape::rows);
      a_.rows.offsets(e.i + i, rows, row_offsets);
      for_each_panel<T>(e.columns, tile_shape<T>::vectors, panels, [&](const panel& now, index j) ETCH_INLINED {
        task.b = packed_b_ + j * e.depth;
        task.b_row = now.registers * L;
        if (packs && i == 0) pack(now, e, j);
        const index row = round_up(e.columns, L);
        T* const sums = partial_ == nullptr ? nullptr : partial_ + i * row + j;
        task.start = e.p == 0 ? nullptr : sums;
        task.start_row = row;
        task.out = sums;
        task.out_row = row;
        multiply_panel<true>(task, rows, now, e.i + i, e.j + j, e.p + e.depth == k_, to_);
      });
    }
  }
  /// The panel of b from column j of the block on.
  ETCH_INLINE void pack(const panel& now, const extent& e, index j) noexcept {
    const index width = now.registers * L;
    T* const slot = packed_b_ + j * e.depth;
    const T* const from = b_.data + (e.j + j) * column_stride_;
    b_.rows.for_each_run(e.p, e.depth, [&](index first, index run, index offset) {
      const matrix<T> rows{from + offset, b_.rows.strides[b_.rows.count - 1], column_stride_};
      if (column_stride_ == 1)
        pack_rows(rows, run, now.columns, width, slot + first * width, width);
      else
        pack_columns(rows, run, now.columns, width, slot + first * width);
    });
  }

  const index m_, n_, k_;
  const grouped_matrix<T>&a_, &b_;
  executor* const threads_;
  const sink<T>& to_;
  const index column_stride_, depth_;
  T* packed_b_;
  index* offsets_;  ///< of the columns of a in a block
  T* partial_ = nullptr;
};

/// The team's first workspace: indirect_workspace(m, n, k) elements.
template <class T>
ETCH_NOINLINE void indirect(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const product_team<T>& team,
                            const sink<T>& to) noexcept {
  const index m = a.rows.size(), n = b.columns.size(), k = a.columns.size();
  if (m == 0 || n == 0) return;
  if (k == 0) return unblocked(m, n, k, matrix<T>{a.data, 0, 0}, matrix<T>{b.data, 0, 1}, to);
  indirect_product<T>(a, b, team, to).run();
}

}  // namespace etch::cpu::matmul_detail
