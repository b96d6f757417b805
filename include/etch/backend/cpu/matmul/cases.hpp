// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/vector.hpp>

/// Which code serves for a product, by what is known of its extents and strides.
namespace etch::cpu {

/// What can happen at run time: code for what cannot is not there.
struct product_cases {
  bool one_row = true;          ///< m is 1
  bool many_rows = true;        ///< m is not 1
  bool several_rows = true;     ///< `has_several_rows`
  bool few_columns = true;      ///< n is 4 or less; then all of b's strides are possible
  bool contiguous_rows = true;  ///< of b: column_stride is 1
  bool other_rows = true;       ///< of b: column_stride is not 1
};

/// Elements of a b up to which `unblocked` may serve.
inline constexpr index most_unblocked = 65536;

/// Rows that are multiplied together, so that b is read once. With more of them their sums go to L1 and back more often than that takes.
/// By registers as wide as cache lines four rows of 784-512-512-10 take 0.9 to 0.97 of the time on one thread, but 1.13 to 1.26 times as long on two,
/// whose halves of b stay in L2; two rows 0.75 and 1.0 (Granite Rapids).
inline constexpr index most_several_rows = matmul_detail::has_avx512 ? 2 : 4;
/// Whether `several_rows` serves, where rows of b are contiguous: a b that stays in L2 is faster in tiles, which jump from row to row.
constexpr bool has_several_rows(index m, index n, index k) noexcept {
  return m > 1 && m <= most_several_rows && n >= 128 && n * k > most_unblocked;
}

/// Elements of a left operand of a small product, or of 64 rows of one whose rows the compiler does not know, at most.
inline constexpr index most_small_left = 8192;

/// Whether `matmul_small` serves for m x n x k, where columns of b are contiguous or not: up to about 16 each, longer
/// sums of one register or two, and one row of up to 16 registers. m: -1 where the compiler does not know it. lanes: of a
/// register; 0 where there are no vectors.
constexpr bool is_small_product(index lanes, index m, index n, index k, bool has_contiguous_rows) {
  constexpr index longest = 4096;
  if (m > longest || n > longest || k > longest) return false;
  const bool vectors = lanes > 0 && has_contiguous_rows && n > 1;
  if (m < 0) return vectors && k > 0 && n * k <= 256;
  if (m * n * k <= 16 * 16 * 16) return true;
  const index registers = lanes > 0 ? (n + lanes - 1) / lanes : 0;
  // Of one row in two panels, or one of 16 registers, b is read nearly in order. Beyond 65,536 elements, 250 KB, that is no faster.
  return vectors && k <= 1024 && (m * registers <= 8 || (m == 1 && registers <= 16 && n * k < 65'536));
}

}  // namespace etch::cpu
