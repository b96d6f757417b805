// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/indirect.hpp>
#include <etch/backend/cpu/matmul/place_classes.hpp>

/// The product of grouped matrices of which places of the first may lie outside: what a padded convolution multiplies by zeros is left out.
/// Of windows of 5 x 5 in images of 14 x 14 that is a sixth.
namespace etch::cpu::matmul_detail {

/// bounds: along so many axes places may lie outside.
template <class T>
constexpr index bounded_workspace(index m, index n, index k, bool is_deep, int bounds) noexcept {
  return indirect_workspace<T>(m, n, k, is_deep) + bounds * table_size<T, index>(minimum(k, indirect_depth<T>(is_deep))) +
         divide_up(place_classes::bytes(m), static_cast<index>(sizeof(T)));
}

/// Rows are multiplied class by class, each with the rows of b that it meets.
template <class T>
class bounded_product : public packed_grouped_product<T, bounded_product<T>> {
  using base = packed_grouped_product<T, bounded_product<T>>;
  using typename base::extent, typename base::range, typename base::shape;
  using row = place_classes::row;
  friend block_loops<T, bounded_product<T>>;

 public:
  ETCH_INLINE bounded_product(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                              const product_team<T>& team, const sink<T>& to) noexcept
      : base(a, b, team, to, minimum(a.rows.size(), place_classes::rows)), bounds_(bounds) {
    T* at = this->packed_b_ + indirect_workspace<T>(this->m_, this->n_, this->k_, a.columns.is_contiguous()) - shape::line;
    for (int k = 0; k < bounds.count; ++k, at += table_size<T, index>(minimum(this->k_, this->depth_)))
      places_[k] = reinterpret_cast<index*>(at);
    sorted_ = reinterpret_cast<row*>(at);
  }

 private:
  /// What rows of a class find of both operands.
  struct table {
    index depth = 0;
    tile_step steps[shape::depth];
  };

  ETCH_INLINE void begin(const extent& e) noexcept {
    base::begin(e);
    for (int k = 0; k < bounds_.count; ++k) bounds_.at[k].inner.offsets(e.p, e.depth, places_[k]);
    if (e.p == 0) place_classes::sort(bounds_, e.i, e.rows, sorted_, sorted_ + minimum(this->m_, place_classes::rows));
  }
  ETCH_INLINE void multiply_alone(const extent& e) noexcept {
    this->pack(e, 0, e.columns);
    multiply(e, {0, e.rows}, every_panel);
  }
  ETCH_INLINE void multiply_share(const extent& e, range rows, range panels, int) noexcept { multiply(e, rows, panels); }

  /// The tiles that begin at those of the sorted rows.
  ETCH_NOINLINE void multiply(const extent& e, range all, range panels) noexcept {
    table some;
    for (index first = 0, past; first < all.last; first = past) {
      const index number = sorted_[first].number;
      for (past = first + 1; past < e.rows && sorted_[past].number == number;) ++past;
      const range tiles = tiles_in({first, past}, all);
      if (tiles.first >= tiles.last) continue;
      tile_task<T> task;
      task.a = this->a_.data;
      task.depth = e.depth;
      task.steps = this->steps_;
      if (number != 0) {
        find_inside(e, e.i + sorted_[first].at, some);
        task.depth = some.depth;
        task.steps = some.steps;
      }
      for (index i = tiles.first; i < tiles.last; i += shape::rows)
        multiply_rows(task, e, {i, minimum(tiles.last, i + shape::rows)}, panels);
    }
  }
  /// The rows of the tiles of a class that begin in `all`: where a tile ends follows from the class alone.
  static range tiles_in(range of, range all) noexcept {
    constexpr index high = tile_shape<T>::rows;
    const auto up = [&](index i) { return i <= of.first ? of.first : minimum(of.last, of.first + round_up(i - of.first, high)); };
    return {up(all.first), up(all.last)};
  }
  /// The p that are inside for row i. First which, axis by axis in vectors, since each class asks all p.
  ETCH_NOINLINE void find_inside(const extent& e, index i, table& to) const noexcept {
    constexpr index most = 64;
    index offset[place_bounds::most], found = 0;
    for (int k = 0; k < bounds_.count; ++k) offset[k] = bounds_.at[k].first + bounds_.at[k].rows.offset(i);
    for (index p = 0; p < e.depth; p += most) {
      const index count = minimum(e.depth - p, most);
      index is_inside[most];
      for (index q = 0; q < count; ++q) is_inside[q] = 1;
      for (int k = 0; k < bounds_.count; ++k) {
        const index *const at = places_[k] + p, first = offset[k], last = bounds_.at[k].last;
        for (index q = 0; q < count; ++q) is_inside[q] &= (at[q] + first >= 0 ? 1 : 0) & (at[q] + first <= last ? 1 : 0);
      }
      for (index q = 0; q < count; ++q) {
        to.steps[found] = this->steps_[p + q];
        found += is_inside[q];
      }
    }
    to.depth = found;
  }

  /// Rows of one class.
  ETCH_NOINLINE void multiply_rows(tile_task<T>& task, const extent& e, range rows, range panels) noexcept {
    alignas(64) T sums[tile_shape<T>::elements];
    index offsets[shape::rows];
    for (index r = rows.first; r < rows.last; ++r) offsets[r - rows.first] = this->a_.rows.offset(e.i + sorted_[r].at);
    const bool is_last = e.p + e.depth == this->k_;
    for_each_panel<T>(e.columns, this->most_, panels, [&](const panel& now, index j) ETCH_INLINED {
      task.b = this->packed_panel(e, j);
      task.last = static_cast<int>(now.columns - (now.registers - 1) * lanes<T>);
      for (index r = rows.first; r < rows.last;) {
        const int size = size_class(rows.last - r, tile_shape<T>::rows);
        const index height = size_in_class(size, tile_shape<T>::rows);
        this->keep_sums(task, e, r, j);
        task.row_offsets = offsets + (r - rows.first);
        task.is_out_exact = false;
        if (is_last) {
          task.out = sums;
          task.out_row = now.registers * lanes<T>;
        }
        tile_for<T, multiply_add, true>(size, now)(task);
        if (is_last) give(e, r, height, j, now.columns, sums, task.out_row);
        r += height;
      }
    });
  }
  /// Sums of so many of the sorted rows from r on, in runs of rows that follow one another.
  ETCH_INLINE void give(const extent& e, index r, index height, index j, index columns, const T* sums,
                        index sums_row) const noexcept {
    for (index i = 0, past; i < height; i = past) {
      for (past = i + 1; past < height && sorted_[r + past].at == sorted_[r + i].at + past - i;) ++past;
      this->to_.give(this->to_.epilogue, e.i + sorted_[r + i].at, e.j + j, past - i, columns, sums + i * sums_row, sums_row);
    }
  }

  const place_bounds& bounds_;
  index* places_[place_bounds::most];  ///< of what is summed, along each axis
  row* sorted_;                        ///< the rows of a block
};

/// The sums of `indirect`, in which a[i, p] is not read, and nothing is added, where bounds say that it lies outside.
/// The team's first workspace: bounded_workspace<T>(m, n, k, a.columns.is_contiguous(), bounds.count) elements.
template <class T>
ETCH_NOINLINE void bounded(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                           const product_team<T>& team, const sink<T>& to) noexcept {
  const index m = a.rows.size(), n = b.columns.size(), k = a.columns.size();
  if (m == 0 || n == 0) return;
  if (k == 0) return unblocked(m, n, k, matrix<T>{a.data, 0, 0}, matrix<T>{b.data, 0, 1}, to);
  bounded_product<T>(a, b, bounds, team, to).run();
}

}  // namespace etch::cpu::matmul_detail
