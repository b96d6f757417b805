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

  bool has(index row, index p) const noexcept {
    for (int k = 0; k < count; ++k)
      if (!at[k].has(at[k].rows.offset(row) + at[k].inner.offset(p))) return false;
    return true;
  }
};

}  // namespace etch::cpu
