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
  return indirect_workspace<T>(m, n, k, is_deep) + bounds * table_size<T, index>(minimum(k, indirect_depth<T>(n, k, is_deep))) +
         divide_up(place_classes::bytes(m), static_cast<index>(sizeof(T)));
}

/// Takes sums of rows that were sorted.
template <class T>
struct sorted_sums {
  const sink<T>& to;
  const place_classes::row* rows;
  index first;  ///< what row 0 of the block is in the product

  sink<T> taking() const noexcept { return {this, &give, nullptr, 0}; }

 private:
  /// In runs of rows that follow one another.
  static void give(const void* from, index i, index j, index rows, index columns, const T* sums, index sums_row) noexcept {
    const sorted_sums& s = *static_cast<const sorted_sums*>(from);
    const place_classes::row* const these = s.rows + i;
    for (index r = 0, past; r < rows; r = past) {
      for (past = r + 1; past < rows && these[past].at == these[r].at + past - r;) ++past;
      s.to.give(s.to.epilogue, s.first + these[r].at, j, past - r, columns, sums + r * sums_row, sums_row);
    }
  }
};

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
      : base(a, b, team, to, place_classes::rows, base::packing + sorting), bounds_(bounds) {}

 private:
  /// To sort rows, as `base::packing`: some 24 cycles for a row, of which each worker sorts all.
  static constexpr index sorting = 64;

  ETCH_INLINE void work_in(T* workspace, T*) noexcept {
    T* at = this->lay_out(workspace);
    for (int k = 0; k < bounds_.count; ++k, at += table_size<T, index>(minimum(this->k_, this->depth_)))
      places_[k] = reinterpret_cast<index*>(at);
    sorted_ = reinterpret_cast<row*>(at);
  }
  ETCH_INLINE void begin_rows(const range& together) noexcept {
    together_ = together;
    place_classes::sort(bounds_, together.first, together.size(), sorted_, sorted_ + minimum(this->m_, place_classes::rows));
  }
  ETCH_INLINE void begin(const extent& e) noexcept {
    base::begin(e);
    for (int k = 0; k < bounds_.count; ++k) bounds_.at[k].inner.offsets(e.p, e.depth, places_[k]);
  }
  /// The tiles that begin at the block's of the sorted rows.
  ETCH_NOINLINE void multiply(const extent& e) noexcept {
    this->pack(e, 0, e.columns);
    tile_step some[shape::depth];
    index row_offsets[shape::rows];
    const index base_row = together_.first;
    const range all{e.i - base_row, e.i - base_row + e.rows};
    const sorted_sums<T> sorted{this->to_, sorted_, base_row};
    for (index first = 0, past; first < all.last; first = past) {
      const index number = sorted_[first].number;
      for (past = first + 1; past < together_.size() && sorted_[past].number == number;) ++past;
      const range tiles = tiles_in({first, past}, all);
      if (tiles.first >= tiles.last) continue;
      const bool is_whole = number == 0;
      const index depth = is_whole ? e.depth : find_inside(e, base_row + sorted_[first].at, some);
      for (index i = tiles.first; i < tiles.last; i += shape::rows) {
        const index rows = minimum(tiles.last - i, shape::rows);
        for (index r = 0; r < rows; ++r) row_offsets[r] = this->a_.rows.offset(base_row + sorted_[i + r].at);
        this->multiply_rows(e, row_offsets, i - all.first, rows, is_whole ? this->steps_ : some, depth, i, sorted.taking(), false);
      }
    }
  }
  /// The rows of the tiles of a class that begin in `all`: where a tile ends follows from the class alone.
  static range tiles_in(range of, range all) noexcept {
    constexpr index high = tile_shape<T>::rows;
    const auto up = [&](index i) { return i <= of.first ? of.first : minimum(of.last, of.first + round_up(i - of.first, high)); };
    return {up(all.first), up(all.last)};
  }
  /// Steps that are inside for row i; how many.
  ETCH_NOINLINE index find_inside(const extent& e, index i, tile_step* to) const noexcept {
    index own[place_bounds::most];
    for (int k = 0; k < bounds_.count; ++k) own[k] = bounds_.at[k].rows.offset(i);
    return bounds_.inside_of(own, places_, this->steps_, e.depth, to);
  }

  const place_bounds& bounds_;
  index* places_[place_bounds::most];  ///< of what is summed, along each axis
  row* sorted_ = nullptr;              ///< the rows that are taken together
  range together_{0, 0};
};

/// The sums of `indirect`, in which a[i, p] is not read, and nothing is added, where bounds say that it lies outside.
/// The team's workspaces: of bounded_workspace<T>(m, n, k, a.columns.is_contiguous(), bounds.count) elements.
template <class T>
ETCH_NOINLINE void bounded(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                           const product_team<T>& team, const sink<T>& to) noexcept {
  const index m = a.rows.size(), n = b.columns.size(), k = a.columns.size();
  if (m == 0 || n == 0) return;
  if (k == 0) return unblocked(m, n, k, matrix<T>{a.data, 0, 0}, matrix<T>{b.data, 0, 1}, to);
  bounded_product<T>(a, b, bounds, team, to).run();
}

}  // namespace etch::cpu::matmul_detail
