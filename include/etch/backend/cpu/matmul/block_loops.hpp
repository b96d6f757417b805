// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/team.hpp>

/// A product by blocks: of columns of b, of rows and of depth, each as large as the caches take, and within a block by panels of b, each
/// of which meets all rows of a block of a. Threads have parts of the product, and wait for one another only at its end.
namespace etch::cpu::matmul_detail {

/// Extents of blocks.
template <class T>
struct block_shape {
  static constexpr index line = 64 / static_cast<index>(sizeof(T));
  /// A panel of b, depth * tile_shape::columns, takes a quarter of 1 MiB of L2, a wide one three eighths. Tiles run at their full speed with b in
  /// L2, and half the depth costs 4 % at n = 2048 for the sums that are stored and read again.
  static constexpr index depth = 128 * line;
  /// With fewer rows than this b is read where it lies, or packed for few uses. Then each block should stay in L1 for all of them, and its
  /// rows, which may be pages apart, in the nearer TLB: 16, 32 and 50 rows times 3136 x 1024 take 0.33, 0.42 and 0.5 of the time (Zen 3).
  static constexpr index few_rows = 64;
  /// With registers as wide as cache lines more: 64 x 784 x 512 takes 0.71 of the time, 64 and 96 rows of other shapes that L2 has room for 0.73 to
  /// 0.89 (Emerald Rapids).
  static constexpr bool has_wide_registers = lanes<T> == line;
  static constexpr index shallow_rows = has_wide_registers ? 96 : few_rows;
  static constexpr index shallow = 16 * line;
  /// Of a b beyond L2.
  static constexpr index far_depth = 32 * line;
  /// Elements of a b that lies beyond L2.
  static constexpr index far = 1 << 20;
  static constexpr index rows = 96;
  /// Rows for which a packed block of b serves where k exceeds `depth` and partial sums are stored.
  static constexpr index outer_rows = 10 * rows;
  /// Whole panels of every width.
  static constexpr index columns = 576;
  /// A product of so many elements, whose epilogue reads and writes at least `streamed` values of each, does not do that by tiles: memory
  /// gives pieces of 128 bytes, a page apart, at a third of its speed. Finished rows of a block wait in L2 until they can be given whole.
  static constexpr index large = 1 << 18;
  /// With what it reads for them, which the tiles prefetch, in half of L2.
  static constexpr index streamed = 4, waiting_rows = rows / 2;
  /// Packed elements of b up to which the stack serves: 32 KiB.
  static constexpr index on_stack = 512 * line;
};

template <class T>
ETCH_INLINE T* aligned(T* p) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  return p + static_cast<index>((64 - address % 64) % 64 / sizeof(T));
}

/// Rows from i on, columns from j on, and what they sum from p on.
struct block_extent {
  index i, rows, j, columns, p, depth;
};

/// The loops over blocks, and how threads share them. `Product`, of which each thread has a copy for each of its shares, has
///   work_in(workspace, stack)   where it packs: a worker's workspace, which may be null, and `shape::on_stack` elements that serve then
///   begin_rows(rows)            before the first block of rows that are taken together
///   begin(block)                before anything else is done of a block
///   multiply(block)
///   tile_rows                   of a share are a multiple of so many
template <class T, class Product>
class block_loops {
 protected:
  using shape = block_shape<T>;
  using extent = block_extent;
  using range = product_shares::range;

  /// What it costs a share to begin, as of `share_product`.
  struct costs {
    index per_column, per_row;
  };
  /// To pack an element; one whose row is a column of b; one that is computed.
  static constexpr index packing = 10, transposing = 20, computing = 40;

  /// together: how many rows are taken together, of which threads have some each.
  ETCH_INLINE block_loops(index m, index n, index k, index depth, index most, const product_team<T>& team, index together,
                          costs share) noexcept
      : m_(m), n_(n), k_(k), depth_(depth), most_(most), team_(team), together_(together), share_(share) {}

 public:
  ETCH_INLINE void run() noexcept {
    alignas(64) T stack[shape::on_stack];
    for (index i = 0; i < m_; i += together_) {
      const range rows{i, minimum(m_, i + together_)};
      if (is_shared(team_.threads, rows.size() * n_ * k_)) {
        share(rows);
      } else {
        self().work_in(team_.workspace_of(0), stack);
        multiply_part(rows, rows, {0, n_});
      }
    }
  }

 protected:
  /// Where the sums of earlier p lie, and those of this p go unless they are the last. i: a row of the block.
  ETCH_INLINE void keep_sums(tile_task<T>& task, const extent& e, index i, index j) const noexcept {
    const index row = round_up(e.columns, lanes<T>);
    T* const sums = partial_ == nullptr ? nullptr : partial_ + i * row + j;
    task.start = e.p == 0 ? nullptr : sums;
    task.start_row = row;
    task.out = sums;
    task.out_row = row;
  }

  const index m_, n_, k_, depth_;
  const index most_;  ///< registers of a panel
  T* partial_ = nullptr;

 private:
  Product& self() noexcept { return static_cast<Product&>(*this); }

  /// Some of the rows that are taken together, times some columns.
  ETCH_INLINE void multiply_part(range together, range rows, range columns) noexcept {
    self().begin_rows(together);
    // Partial sums of all rows would not stay in a cache.
    const index most_rows = k_ > depth_ ? shape::outer_rows : rows.size();
    const index most_columns = shape::columns / (most_ * lanes<T>)*(most_ * lanes<T>);
    for (index j = columns.first; j < columns.last; j += most_columns)
      for (index i = rows.first; i < rows.last; i += most_rows)
        for (index p = 0; p < k_; p += depth_) {
          const extent e{
              i, minimum(rows.last - i, most_rows), j, minimum(columns.last - j, most_columns), p, minimum(k_ - p, depth_)};
          self().begin(e);
          self().multiply(e);
        }
  }
  ETCH_NOINLINE void share(range rows) noexcept {
    const product_shares shares = share_product(rows.size(), n_, Product::tile_rows, most_ * lanes<T>, team_.threads->workers(),
                                                share_.per_column, share_.per_row);
    run_tasks(*team_.threads, shares.count(), [&](int task, int worker) {
      alignas(64) T stack[shape::on_stack];
      Product own = self();
      own.work_in(team_.workspace_of(worker), stack);
      const range some = shares.rows_of(task);
      own.multiply_part(rows, {rows.first + some.first, rows.first + some.last}, shares.columns_of(task));
    });
  }

  const product_team<T>& team_;
  const index together_;
  const costs share_;
};

}  // namespace etch::cpu::matmul_detail
