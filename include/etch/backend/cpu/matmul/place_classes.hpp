// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/block_loops.hpp>
#include <etch/backend/cpu/matmul/place_bounds.hpp>

/// Rows of a product, in classes whose rows have the same places inside.
namespace etch::cpu::matmul_detail {

struct place_classes {
  /// Rows that are sorted together: the more, the more of those at an edge fill a tile. 50 x 14 x 14 images with windows of 5 x 5:
  /// of 1,024 rows a quarter are in tiles of less than 8, of 4,096 a tenth.
  static constexpr index rows = 4096;
  static constexpr index most = 1024;  ///< classes; of more, rows stay as they are, and each at an edge is a class of its own

  struct row {
    index at;      ///< in the block
    index number;  ///< of its class; 0: all places are inside
  };

  /// Bytes of the orders of so many rows.
  static constexpr index bytes(index count) noexcept { return 2 * minimum(count, rows) * static_cast<index>(sizeof(row)); }

  /// sorted: of the block's rows, so many, of which the first is row i of the product; unsorted: as much memory.
  static void sort(const place_bounds& bounds, index i, index count, row* sorted, row* unsorted) noexcept {
    for (index r = 0; r < count; ++r) unsorted[r] = {r, 0};
    index classes = 1;
    for (int k = 0; k < bounds.count; ++k) {
      const place_bounds::axis& axis = bounds.at[k];
      const place_bounds::range whole = axis.inside_with(axis.inner), all = axis.range_of(axis.rows);
      const index below = all.least < whole.least ? whole.least - all.least : 0,
                  above = all.most > whole.most ? all.most - whole.most : 0, own = 1 + below + above;
      axis.rows.for_each_offset(i, count, [&](index r, index offset) ETCH_INLINED {
        const index number = offset < whole.least ? whole.least - offset : offset > whole.most ? below + offset - whole.most : 0;
        unsorted[r].number = classes > most ? unsorted[r].number | number : unsorted[r].number * own + number;
      });
      classes = classes > most || own > most ? most + 1 : classes * own;
    }
    if (classes > most) {
      for (index r = 0; r < count; ++r) sorted[r] = {r, unsorted[r].number == 0 ? 0 : r + 1};
      return;
    }
    index first[most + 1] = {};
    for (index r = 0; r < count; ++r) ++first[unsorted[r].number + 1];
    for (index c = 0; c < classes; ++c) first[c + 1] += first[c];
    for (index r = 0; r < count; ++r) sorted[first[unsorted[r].number]++] = unsorted[r];
  }
};

}  // namespace etch::cpu::matmul_detail
