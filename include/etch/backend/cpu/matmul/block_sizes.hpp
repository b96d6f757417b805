// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/amx.hpp>
#include <etch/backend/cpu/matmul/block_loops.hpp>
#include <etch/backend/cpu/matmul/cases.hpp>

/// What of a product by blocks is packed, how deep its blocks are, and the workspace that it needs.
namespace etch::cpu::matmul_detail {

/// Whether rows of a are packed. is_deep: whether a is contiguous along them; otherwise each p of a tile lies in another cache line, which
/// the next rows share, and as many lines as a tile is deep do not stay in L1. For as many columns and rows as this it pays to copy them
/// into tiles: 0.9 of the time for 512 x 512 x 512 and 1024 x 1024 x 1024 against rows of 96 (Zen 3).
constexpr bool packs_rows(index m, index n, bool is_deep) noexcept { return !is_deep && n >= 96 && m >= 96; }

/// Whether each load of a register of b is one of a whole cache line; registers that are narrower find most within one.
template <class T>
bool is_in_lines(const matrix<T>& b) noexcept {
  if (!block_shape<T>::has_wide_registers) return true;
  return (reinterpret_cast<std::uintptr_t>(b.data) | static_cast<std::uintptr_t>(b.row_stride) * sizeof(T)) % 64 == 0;
}

/// How many lines that lie so many bytes apart L1 has room for: 8 in a set, and sets repeat each 4 KiB in most CPUs.
constexpr index lines_in_sets(index bytes) noexcept {
  const index apart = bytes & -bytes;  // the largest power of two that divides it
  return 8 * 4096 / minimum(apart < 64 ? 64 : apart, 4096);
}

/// Whether b is packed: for as many rows as pay for that, where it is large, or where its rows are in each other's way: of such as lie a
/// multiple of 2 KiB apart 16 have room in L1. 3136 x 50 x 1024 takes 1.43 times as long unpacked, 64 x 64 x 1024 1.33 times; but where they
/// lie 1 KiB apart, 40 x 250 x 256 takes 1.11 times as long packed. Of 96 rows it pays wherever a panel does not fit so: 128 and 192 squared
/// take 0.95 of the time, 100 x 1024 x 48 0.85, and 96, 100, 112, 160 and 224 squared, whose panels fit, 1.05 to 1.1 times
/// (Zen 3). Registers as wide as cache lines that are loaded from two make the difference: n x n x n takes 0.96 of the time unpacked at
/// n = 256 to 480 and 1.1 times where lines are crossed, from n = 176 on; below, 0.93 to 1 times (Sapphire Rapids). A b beyond L2 is packed from
/// half as many rows on: 32 x 3000 x 1000 takes 0.7 to 0.79 of the time, 48 x 1000 x 1000 0.74 to 0.8 (Sapphire Rapids). By registers as wide as lines, and where the
/// next panel is prefetched, it is read where it lies by up to 64 rows (32 x 1024 x 1024 takes 0.79 of the time, 64 x 2048 x 2048 0.9), and by up to 95
/// where L2 has room for it (32, 48 and 64 rows 0.72 to 0.79; 80 x 512 x 4096, which it has not, 1.36 times); where lines are crossed, if L2 has room
/// and by up to 64 (32 and 48 rows 0.83 to 0.92) (Emerald Rapids).
template <class T>
bool packs_columns(index m, index n, index k, const matrix<T>& b) noexcept {
  if (b.column_stride != 1) return true;
  using shape = block_shape<T>;
  const bool is_far = 2 * k * n >= shape::far, in_lines = is_in_lines(b);
  // Not by where b lies while `unblocked` may serve, which sums all at a time: the same shapes have the same bits.
  const bool is_small = k * n <= most_unblocked;
  const index in_place = is_far                 ? (in_lines ? shape::few_rows : 0)
                         : in_lines || is_small ? shape::shallow_rows - 1
                                                : shape::few_rows;
  if (shape::has_wide_registers && m <= in_place) return false;
  const index bytes_of_row = b.row_stride * static_cast<index>(sizeof(T));
  if (m >= 32 && k > 16 && bytes_of_row % 2048 == 0) return true;
  if (!shape::has_wide_registers && m >= 96 && minimum(k, shape::depth) > lines_in_sets(bytes_of_row)) return true;
  if (!in_lines && m >= 2 * shape::few_rows && k * n > 32768) return true;
  if (2 * m >= shape::few_rows && is_far) return true;
  const index large = shape::has_wide_registers && in_lines ? 131072 : most_unblocked;
  return m >= shape::few_rows && k * n > large - (m >= 2 * shape::few_rows ? 1 : 0);
}

/// How much is summed at a time, at most. Packed, a b beyond L2 is read by several panels at a time, since a panel has but a line or three of each
/// row, and the next row lies in another page; they stay in L2 where blocks are less deep. 64, 512 and 2048 rows times 2048 x 2048 take 0.57, 0.85 and
/// 0.9 of the time of 2048 rows of b one panel at a time, with AVX2 0.8, 0.95 and 0.95; where two such blocks are all of b, they are one: two take
/// 1.1 times as long for 2048 x 1024 x 1024 (Sapphire Rapids).
template <class T>
constexpr index full_depth(index n, index k) noexcept {
  using shape = block_shape<T>;
  if (2 * n * k < shape::far) return shape::depth;
  return k <= 2 * shape::far_depth ? 2 * shape::far_depth : shape::far_depth;
}

/// How much is summed at a time: not packed, a block of such lines should stay in L1 as well. Transposed, 800 x 9800 x 64 takes 0.45 of the
/// time of a full depth, 100 x 1024 x 784 0.85 (Zen 3).
///
/// A large b of which few rows are made, or that is computed for one row, or whose words are (is_made), is read by 32 of its rows at a time: more of
/// them lie in more pages than the processor follows. 8 x 4096 x 4096 takes 0.58 of the time of 256 rows, 8 x 3136 x 1024 0.71, 8 x 512 x 512 1.1 times (Zen 5).
/// by_rows: whether rows of b are contiguous. Of one whose columns are, so few rows are two lines of each: 24 x 3000 x 1000 takes 0.69 of the
/// time with 256 (Sapphire Rapids).
///
/// The number of rows counts below 96 only: those that run block by block (`row_blocks`) have the sums that they have together.
template <class T>
constexpr index block_depth(index m, index n, index k, bool is_deep, bool is_made, bool by_rows) noexcept {
  using shape = block_shape<T>;
  const bool is_far = by_rows && n * k >= shape::far;
  if (2 * m < shape::few_rows && (is_made || is_far)) return 2 * shape::line;
  if (m < shape::shallow_rows || (!is_deep && !packs_rows(m, n, is_deep))) return shape::shallow;
  return full_depth<T>(n, k);
}

/// Sizes of the pieces of the workspace, in elements. b: of n columns, or no more at a time than fill no register, which have the larger depth
/// where n is few. between: two rows of a.
template <class T>
constexpr index packed_b_size(index n, index k) noexcept {
  using shape = block_shape<T>;
  const index all = minimum(k, full_depth<T>(n, k)) * minimum(round_up(n, lanes<T>), shape::columns);
  const index last = minimum(k, shape::depth) * lanes<T>;
  return all > last ? all : last;
}
template <class T>
constexpr index packed_a_size(index m, index k, index between = 0) noexcept {
  using shape = block_shape<T>;
  return round_up(minimum(m, shape::rows) * (round_up(minimum(k, shape::depth), lanes<T>) + between), shape::line);
}
template <class T>
constexpr index partial_sums_size(index m, index n, index k, bool is_deep, bool by_words = false) noexcept {
  using shape = block_shape<T>;
  return k <= block_depth<T>(m, n, k, is_deep, by_words, true)
             ? 0
             : minimum(m, shape::outer_rows) * minimum(round_up(n, lanes<T>), shape::columns);
}
/// Of rows that wait for the epilogue. Their lines lie in different sets of L1.
template <class T>
constexpr index waiting_row(index n) noexcept {
  using shape = block_shape<T>;
  return minimum(round_up(n, lanes<T>), shape::columns) + shape::line;
}
template <class T>
constexpr index waiting_size(index m, index n) noexcept {
  using shape = block_shape<T>;
  return m * n < shape::large ? 0 : minimum(m, shape::waiting_rows) * waiting_row<T>(n);
}
/// Not inlined: of 3,100 lines of GIMPLE of `scratch_for` 1,800 were this, again and again.
template <class T>
ETCH_NOINLINE constexpr index blocked_workspace(index m, index n, index k, bool is_deep, bool is_computed = false,
                                                bool by_words = false) noexcept {
  using shape = block_shape<T>;
  const index b = packed_b_size<T>(n, k), sums = partial_sums_size<T>(m, n, k, is_deep, by_words);
  // Of the transposed product, where it is computed instead: it packs no more than the columns that fill no register.
  const index others = n <= 4 && m > n ? partial_sums_size<T>(n, m, k, is_deep) : 0;
  const index waiting = waiting_size<T>(m, n);
  if (!is_computed && b <= shape::on_stack && sums + others + waiting == 0) return 0;
  return b + packed_a_size<T>(m, k, by_words && has_amx ? lanes<T> : 0) + waiting + (sums > others ? sums : others) +
         5 * shape::line;
}

}  // namespace etch::cpu::matmul_detail
