// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/axis_group.hpp>

namespace etch::cpu {

/// Axes along which places of a first operand may lie outside, where it is 0. Row i and p make the place
/// first + rows.offset(i) + inner.offset(p), which is inside from 0 to last.
struct place_bounds {
  /// Offsets of rows, or of p.
  struct range {
    index least, most;
    bool has(index offset) const noexcept { return offset >= least && offset <= most; }
  };
  struct axis {
    index first, last;
    axis_group rows, inner;

    bool has(index offset) const noexcept { return first + offset >= 0 && first + offset <= last; }
    /// Those that make places inside, whatever is added of the others.
    range inside_with(const axis_group& every) const noexcept {
      const range all = range_of(every);
      return {-first - all.least, last - first - all.most};
    }
    /// From the least of a group's offsets to the largest.
    static range range_of(const axis_group& every) noexcept {
      range r{0, 0};
      for (int d = 0; d < every.count; ++d) {
        const index reach = (every.extents[d] - 1) * every.strides[d];
        (reach < 0 ? r.least : r.most) += reach;
      }
      return r;
    }
  };
  static constexpr int most = 6;  ///< axes of windows in arrays of 8 axes
  int count = 0;
  axis at[most];

  /// Copies those of some steps, one for each p, that are inside for one row; gives how many. row: its offsets along the axes; inner: those of
  /// the steps. First which, axis by axis in vectors, since each class of rows asks all of them.
  template <class Step>
  index inside_of(const index* row, const index* const* inner, const Step* steps, index all, Step* to) const noexcept {
    constexpr index some = 64;
    index found = 0;
    for (index p = 0; p < all; p += some) {
      const index these = matmul_detail::minimum(all - p, some);
      index is_inside[some];
      for (index q = 0; q < these; ++q) is_inside[q] = 1;
      for (int k = 0; k < count; ++k) {
        const index *const offsets = inner[k] + p, first = at[k].first + row[k], last = at[k].last;
        for (index q = 0; q < these; ++q) is_inside[q] &= (offsets[q] + first >= 0 ? 1 : 0) & (offsets[q] + first <= last ? 1 : 0);
      }
      for (index q = 0; q < these; ++q) {
        to[found] = steps[p + q];
        found += is_inside[q];
      }
    }
    return found;
  }
  bool has(index row, index p) const noexcept {
    for (int k = 0; k < count; ++k)
      if (!at[k].has(at[k].rows.offset(row) + at[k].inner.offset(p))) return false;
    return true;
  }
};

}  // namespace etch::cpu
