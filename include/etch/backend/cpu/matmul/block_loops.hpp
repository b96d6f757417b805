// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/team.hpp>

/// A product by blocks: of columns of b, of rows and of depth, each as large as the caches take, and within a block by panels of b, each
/// of which meets all rows of a block of a.
namespace etch::cpu::matmul_detail {

/// Extents of blocks.
template <class T>
struct block_shape {
  static constexpr index line = 64 / static_cast<index>(sizeof(T));
  /// A panel of b, depth * tile_shape::columns, takes a quarter of 1 MiB of L2. Tiles run at their full speed with b in
  /// L2, and half the depth costs 4 % at n = 2048 for the sums that are stored and read again.
  static constexpr index depth = 128 * line;
  /// With fewer rows than this b is read where it lies, or packed for few uses. Then each block should stay in L1 for all of them, and its
  /// rows, which may be pages apart, in the nearer TLB: 16, 32 and 50 rows times 3136 x 1024 take 0.33, 0.42 and 0.5 of the time (Zen 3).
  static constexpr index few_rows = 64;
  static constexpr index shallow = 16 * line;
  /// Elements of a b that lies beyond L2.
  static constexpr index far = 1 << 20;
  static constexpr index rows = 96;
  /// Rows for which a packed block of b serves where k exceeds `depth` and partial sums are stored.
  static constexpr index outer_rows = 10 * rows;
  static constexpr index columns = 512;
  /// A product of so many elements, whose epilogue reads and writes at least `streamed` values of each, does not do that by tiles: memory
  /// gives pieces of 128 bytes, a page apart, at a third of its speed. Finished rows of a block wait in L2 until they can be given whole.
  static constexpr index large = 1 << 18;
  /// With what it reads for them, which the tiles ask for before, in half of L2.
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

/// The loops over blocks, and how threads share one. `Product` has
///   begin(block)                             before anything else is done of a block
///   packed_columns(block)                    how many columns of b it packs at a time: whole panels
///   pack(block, column, past)                those of them up to `past`, if `packs_b`
///   multiply_alone(block)                    packs panels on the way
///   multiply_share(block, rows, panels, worker)
template <class T, class Product>
class block_loops {
 protected:
  using shape = block_shape<T>;
  using extent = block_extent;
  using range = product_shares::range;

  /// rows: those of a block, at most, where all is summed at once.
  ETCH_INLINE block_loops(index m, index n, index k, index depth, index most, bool packs_b, executor* threads, index rows) noexcept
      : m_(m), n_(n), k_(k), depth_(depth), most_(most), rows_(rows), packs_b_(packs_b), threads_(threads) {}

 public:
  ETCH_INLINE void run() noexcept {
    // Partial sums of all rows would not stay in a cache.
    const index outer_rows = k_ > depth_ ? minimum(rows_, shape::outer_rows) : rows_;
    for (index j = 0; j < n_; j += shape::columns)
      for (index i = 0; i < m_; i += outer_rows)
        for (index p = 0; p < k_; p += depth_)
          add({i, minimum(m_ - i, outer_rows), j, minimum(n_ - j, shape::columns), p, minimum(k_ - p, depth_)});
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
  const index rows_;
  const bool packs_b_;
  T* partial_ = nullptr;

 private:
  Product& self() noexcept { return static_cast<Product&>(*this); }

  ETCH_INLINE void add(const extent& e) noexcept {
    self().begin(e);
    if (is_shared(threads_, e.rows * e.columns * e.depth))
      share(e);
    else
      self().multiply_alone(e);
  }
  ETCH_NOINLINE void share(const extent& e) noexcept {
    const product_shares shares =
        share_product(e.rows, count_panels<T>(e.columns, most_), tile_shape<T>::rows, shape::rows, threads_->workers());
    if (packs_b_) {
      const index each = self().packed_columns(e);
      run_tasks(*threads_, static_cast<int>((e.columns + each - 1) / each),
                [&](int task, int) { self().pack(e, task * each, minimum(e.columns, (task + 1) * each)); });
    }
    run_tasks(*threads_, shares.count(),
              [&](int task, int worker) { self().multiply_share(e, shares.rows_of(task), shares.panels_of(task), worker); });
  }

  executor* const threads_;
};

}  // namespace etch::cpu::matmul_detail
