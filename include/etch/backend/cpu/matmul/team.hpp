// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/micro_kernel.hpp>
#include <etch/backend/cpu/threads/tasks.hpp>

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
/// of others, and there are tasks to pack and tasks to multiply. A `columnwise` one's take longer: a depthwise convolution of 3 x 3, stride 2, of
/// (56, 56, 64), 450,000 of them, takes two threads 0.75 of the time, one of (14, 14, 96), 170,000, 1.3 times.
inline bool is_shared(const executor* threads, index products, bool is_columnwise = false) noexcept {
  return threads != nullptr && products >= (is_columnwise ? 2 : 4) * threads->least_work();
}

/// The shares of a product: ranges of rows, of whole tiles but for the last, times ranges of columns, of whole panels.
struct product_shares {
  index rows, tile_rows, row_shares = 1;
  index columns, panel_columns, column_shares = 1;

  struct range {
    index first, last;
    index size() const noexcept { return last - first; }
  };
  int count() const noexcept { return static_cast<int>(row_shares * column_shares); }
  range rows_of(int share) const noexcept { return part(share % row_shares, row_shares, rows, tile_rows); }
  range columns_of(int share) const noexcept { return part(share / row_shares, column_shares, columns, panel_columns); }

  /// Part i of so many of [0, n), cut at multiples of `unit`.
  static constexpr range part(index i, index parts, index n, index unit) noexcept {
    const index units = divide_up(n, unit);
    return {i * units / parts * unit, minimum(n, (i + 1) * units / parts * unit)};
  }
};

/// The shares that are done first, of as many for each worker as cost little, so that a slow one is no matter. A share multiplies its rows
/// with its columns; for each of its columns, and rows, it does beforehand what takes as long as so many rows, and columns, of products: it
/// packs by itself what it reads. What another worker has packed would lie in the caches of another core: where two threads packed for
/// both, 256 x 256 x 256 took 1.25 times as long, and 50 x 3136 x 1024 1.6 times (Sapphire Rapids).
inline product_shares share_product(index rows, index columns, index tile_rows, index panel_columns, int workers, index per_column,
                                    index per_row) noexcept {
  const index tiles = divide_up(rows, tile_rows), panels = divide_up(columns, panel_columns);
  product_shares best{.rows = rows, .tile_rows = tile_rows, .columns = columns, .panel_columns = panel_columns};
  index least = -1;
  for (index shares = workers; shares <= 4 * workers; shares *= 2)
    for (index r = 1; r <= shares && r <= tiles; r *= 2) {
      const index c = minimum(panels, shares / r), turns = divide_up(r * c, workers);
      const index share_rows = divide_up(tiles, r) * tile_rows, share_columns = divide_up(panels, c) * panel_columns;
      const index cost = turns * (share_rows * share_columns + per_column * share_columns + per_row * share_rows);
      // A sixteenth is given for more shares.
      if (least >= 0 && cost > least + (r * c > best.row_shares * best.column_shares ? least / 16 : 0)) continue;
      least = least < 0 || cost < least ? cost : least;
      best.row_shares = r;
      best.column_shares = c;
    }
  return best;
}

/// Calls f(first column, past the last) for shares of the columns of few rows, of which each but the last has a multiple of `unit`: some for
/// each worker, but no more than one where they would have less than `wide`.
template <class F>
ETCH_INLINE void share_columns(executor* threads, index products, index n, index unit, index wide, const F& f) noexcept {
  if (!is_shared(threads, products)) return f(0, n);
  const index workers = threads->workers(), wanted = minimum(n / wide, 4 * workers);
  const index shares = minimum(divide_up(n, unit), wanted < workers ? workers : wanted);
  run_tasks(*threads, static_cast<int>(shares), [&](int share, int) {
    const product_shares::range r = product_shares::part(share, shares, n, unit);
    f(r.first, r.last);
  });
}
/// Calls f(rows, worker) for shares of m rows, of each so many but the last.
template <class F>
ETCH_INLINE void share_rows(executor* threads, index products, index m, index rows, const F& f) noexcept {
  const int shares = static_cast<int>(divide_up(m, rows));
  const auto share = [&](int number, int worker) {
    f(product_shares::range{number * rows, minimum(m, (number + 1) * rows)}, worker);
  };
  if (is_shared(threads, products)) return run_tasks(*threads, shares, share);
  for (int number = 0; number < shares; ++number) share(number, 0);
}
/// As `wide`, of rows that are read from memory: pieces of a page. In eight pieces of each row 2,048 x 2,048 takes two threads 1.4 times as
/// long as in two (Sapphire Rapids).
template <class T>
inline constexpr index page_columns = 4096 / static_cast<index>(sizeof(T));

/// Calls f(panel, first column) for each of the panels of so many columns.
template <class T, class F>
ETCH_INLINE void for_each_panel(index columns, index most, const F& f) noexcept {
  for (index j = 0; j < columns;) {
    const panel now = next_panel<T>(columns - j, most);
    f(now, j);
    j += now.columns;
  }
}

}  // namespace matmul_detail
}  // namespace etch::cpu
