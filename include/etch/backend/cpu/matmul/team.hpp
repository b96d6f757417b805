// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/tasks.hpp>

/// How several threads share a product. Rows are cut between tiles, columns between panels, so that each tile is the one that it would
/// be for one thread: results are the same to the last bit.
namespace etch::cpu {

/// Who computes a product, and memory for each.
template <class T>
struct product_team {
  T* workspace = nullptr;       ///< nullptr where none is needed
  index stride = 0;             ///< elements from one worker's workspace to that of the next
  executor* threads = nullptr;  ///< null: the calling thread alone

  T* workspace_of(int worker) const noexcept { return workspace == nullptr ? nullptr : workspace + worker * stride; }
};

namespace matmul_detail {

/// Whether threads share a product, or a block of one, of so many multiplications and additions. A tile's flops take a tenth of the time
/// of others, and there are tasks to pack and tasks to multiply.
inline bool is_shared(const executor* threads, index products) noexcept {
  return threads != nullptr && products >= 4 * threads->least_work();
}

/// The shares of a block: ranges of rows, of whole tiles but for the last, times ranges of panels.
struct product_shares {
  index rows = 0, tile_rows = 1, row_shares = 1;
  index panels = 0, panel_shares = 1;

  struct range {
    index first, last;
  };
  int count() const noexcept { return static_cast<int>(row_shares * panel_shares); }
  range rows_of(int share) const noexcept {
    const range tiles = part(share % row_shares, row_shares, (rows + tile_rows - 1) / tile_rows);
    return {tiles.first * tile_rows, minimum(rows, tiles.last * tile_rows)};
  }
  range panels_of(int share) const noexcept { return part(share / row_shares, panel_shares, panels); }

  /// Part i of so many of [0, n).
  static constexpr range part(index i, index parts, index n) noexcept { return {i * n / parts, (i + 1) * n / parts}; }
};

/// Some for each worker, so that a slow one is no matter. most_rows: about those of a share.
constexpr product_shares share_product(index rows, index panels, index tile_rows, index most_rows, int workers) noexcept {
  const index wanted = 4 * workers, least = round_up((rows + most_rows - 1) / most_rows, workers);
  const index pairs_of_tiles = (rows + 2 * tile_rows - 1) / (2 * tile_rows);
  product_shares s{.rows = rows, .tile_rows = tile_rows, .panels = panels};
  s.row_shares = minimum(pairs_of_tiles, wanted < least ? least : wanted);
  s.panel_shares = minimum(panels, (wanted + s.row_shares - 1) / s.row_shares);
  return s;
}

/// Calls f(panel, first column) for each of the wanted panels of a block of so many columns.
template <class T, class F>
ETCH_INLINE void for_each_panel(index columns, index most, product_shares::range wanted, const F& f) noexcept {
  index number = 0;
  for (index j = 0; j < columns && number < wanted.last; ++number) {
    const panel now = next_panel<T>(columns - j, most);
    if (number >= wanted.first) f(now, j);
    j += now.columns;
  }
}
template <class T>
ETCH_INLINE index count_panels(index columns, index most) noexcept {
  index count = 0;
  for (index j = 0; j < columns; ++count) j += next_panel<T>(columns - j, most).columns;
  return count;
}
/// All of them.
inline constexpr product_shares::range every_panel{0, index{1} << 62};

}  // namespace matmul_detail
}  // namespace etch::cpu
