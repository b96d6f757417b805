// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/axis_group.hpp>
#include <etch/backend/cpu/matmul/blocked.hpp>

/// The product of grouped matrices (an implicit GEMM): tiles find the first operand by tables of offsets, so that windows that
/// overlap are read from the cache that they share. To copy them into rows would read and write as many times what the image has as
/// a window has elements.
namespace etch::cpu::matmul_detail {

/// Elements of T that so many entries of a table take.
template <class T, class Entry>
constexpr index table_size(index count) noexcept {
  return round_up(count * static_cast<index>(sizeof(Entry)) / static_cast<index>(sizeof(T)), block_shape<T>::line);
}
/// Of b's columns that are packed: whole panels, all of whose rows are as far apart.
template <class T>
constexpr index indirect_columns(index n) noexcept {
  return minimum(round_up(n, tile_shape<T>::columns), block_shape<T>::columns);
}
/// How much is summed at a time. Where each place of a takes a cache line of its own, so many lines as stay in L1 for the next rows, which
/// lie in them too: 8 KiB. The gradient of a kernel of 5 x 5 x 32 x 64 takes 1.3 times as long at the full depth (Zen 3). Of a large b, whose rows lie
/// far apart, as much as L2 has room for beside the rest: a convolution of 3 x 3, 256 to 256 channels, of 14 x 14 takes 0.85 of the time, 512 to
/// 512 of 7 x 7 0.53 (Emerald Rapids).
template <class T>
constexpr index indirect_depth(index n, index k, bool is_deep) noexcept {
  using shape = block_shape<T>;
  return !is_deep ? 128 : 2 * n * k < shape::far ? shape::depth : shape::shallow;
}
template <class T>
constexpr index indirect_workspace(index m, index n, index k, bool is_deep) noexcept {
  using shape = block_shape<T>;
  const index depth = indirect_depth<T>(n, k, is_deep), columns = indirect_columns<T>(n);
  const index sums = k <= depth ? 0 : minimum(m, shape::outer_rows + tile_shape<T>::rows) * columns;
  return round_up(minimum(k, depth) * columns, shape::line) + table_size<T, tile_step>(minimum(k, depth)) + sums + shape::line;
}

/// What products of grouped matrices have in common: b in panels, and tables of what is summed. `Product`: as of `block_loops`.
template <class T, class Product>
class packed_grouped_product : public block_loops<T, Product> {
 public:
  static constexpr index tile_rows = tile_shape<T>::rows;

 protected:
  using base = block_loops<T, Product>;
  using base::depth_, base::k_, base::most_, base::n_;
  using typename base::extent, typename base::range, typename base::shape;
  static constexpr index width = tile_shape<T>::columns;

  /// together: as of `block_loops`.
  ETCH_INLINE packed_grouped_product(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const product_team<T>& team,
                                     const sink<T>& to, index together, index per_column) noexcept
      : base(a.rows.size(), b.columns.size(), a.columns.size(),
             indirect_depth<T>(b.columns.size(), a.columns.size(), a.columns.is_contiguous()), tile_shape<T>::vectors, team,
             together, {per_column, 0}),
        a_(a), b_(b), to_(to), column_stride_(b.columns.strides[0]) {}

  /// Gives what of the workspace is left.
  ETCH_INLINE T* lay_out(T* workspace) noexcept {
    const index deep = minimum(k_, depth_), columns = indirect_columns<T>(n_);
    packed_b_ = aligned(workspace);
    T* const table = packed_b_ + round_up(deep * columns, shape::line);
    steps_ = reinterpret_cast<tile_step*>(table);
    this->partial_ = table + table_size<T, tile_step>(deep);
    return k_ > depth_ ? this->partial_ + minimum(this->m_, shape::outer_rows + tile_shape<T>::rows) * columns : this->partial_;
  }
  ETCH_INLINE void begin(const extent& e) noexcept {
    a_.columns.for_each_offset(e.p, e.depth, [&](index p, index offset) ETCH_INLINED { steps_[p] = {offset, p * width}; });
  }
  ETCH_INLINE void pack(const extent& e, index j, index past) noexcept {
    const index whole = (past - j) / width * width;
    if (column_stride_ == 1 && whole > width) {
      const T* const from = b_.data + e.j + j;
      b_.rows.for_each_run(e.p, e.depth, [&](index first, index run, index offset) {
        pack_panels(matrix<T>{from + offset, b_.rows.strides[b_.rows.count - 1], 1}, run, whole, width,
                    packed_panel(e, j) + first * width, e.depth * width);
      });
      j += whole;
    }
    for_each_panel<T>(past - j, most_, [&](const panel& now, index c) { pack_panel(now, e, j + c); });
  }
  /// Some rows at most, whose sums lie from row `first` of the block's on: `steps` of them. i: what `to` takes the first row for.
  /// packs: whether b is packed on the way.
  ETCH_INLINE void multiply_rows(const extent& e, const index* row_offsets, index first, index rows, const tile_step* steps,
                                 index depth, index i, const sink<T>& to, bool packs) noexcept {
    tile_task<T> task;
    task.depth = depth;
    task.a = a_.data;
    task.row_offsets = row_offsets;
    task.steps = steps;
    for_each_panel<T>(e.columns, most_, [&](const panel& now, index j) ETCH_INLINED {
      task.b = packed_panel(e, j);
      if (packs) pack(e, j, j + now.columns);
      this->keep_sums(task, e, first, j);
      multiply_panel<multiply_add, true>(task, rows, now, i, e.j + j, e.p + e.depth == k_, to);
    });
  }
  /// The panel of b from column j of the block on.
  ETCH_INLINE T* packed_panel(const extent& e, index j) const noexcept {
    return packed_b_ + j / width * width * e.depth + j % width;
  }

  const grouped_matrix<T>&a_, &b_;
  const sink<T>& to_;
  const index column_stride_;
  T* packed_b_ = nullptr;
  tile_step* steps_ = nullptr;  ///< of a block

 private:
  ETCH_INLINE void pack_panel(const panel& now, const extent& e, index j) noexcept {
    const index columns = now.registers * lanes<T>;
    T* const slot = packed_panel(e, j);
    const T* const from = b_.data + (e.j + j) * column_stride_;
    b_.rows.for_each_run(e.p, e.depth, [&](index first, index run, index offset) {
      const matrix<T> rows{from + offset, b_.rows.strides[b_.rows.count - 1], column_stride_};
      if (column_stride_ == 1)
        pack_rows(rows, run, now.columns, columns, slot + first * width, width);
      else
        pack_columns(rows, run, now.columns, columns, slot + first * width, width);
    });
  }
};

template <class T>
class indirect_product : public packed_grouped_product<T, indirect_product<T>> {
  using base = packed_grouped_product<T, indirect_product<T>>;
  using typename base::extent, typename base::range, typename base::shape;
  friend block_loops<T, indirect_product<T>>;

 public:
  ETCH_INLINE indirect_product(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const product_team<T>& team,
                               const sink<T>& to) noexcept
      : base(a, b, team, to, a.rows.size(), base::packing) {}

 private:
  ETCH_INLINE void work_in(T* workspace, T*) noexcept { this->lay_out(workspace); }
  ETCH_INLINE void begin_rows(const range&) noexcept {}
  ETCH_INLINE void multiply(const extent& e) noexcept {
    index row_offsets[shape::rows];
    for (index i = 0; i < e.rows; i += shape::rows) {
      const index rows = minimum(e.rows - i, shape::rows);
      this->a_.rows.offsets(e.i + i, rows, row_offsets);
      this->multiply_rows(e, row_offsets, i, rows, this->steps_, e.depth, e.i + i, this->to_, i == 0);
    }
  }
};

/// The team's workspaces: of indirect_workspace(m, n, k, a.columns.is_contiguous()) elements.
template <class T>
ETCH_NOINLINE void indirect(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const product_team<T>& team,
                            const sink<T>& to) noexcept {
  const index m = a.rows.size(), n = b.columns.size(), k = a.columns.size();
  if (m == 0 || n == 0) return;
  if (k == 0) return unblocked(m, n, k, matrix<T>{a.data, 0, 0}, matrix<T>{b.data, 0, 1}, to);
  indirect_product<T>(a, b, team, to).run();
}

}  // namespace etch::cpu::matmul_detail
