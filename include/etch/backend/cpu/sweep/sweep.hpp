// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep/across.hpp>
#include <etch/backend/cpu/sweep/along.hpp>
#include <etch/backend/cpu/sweep/in_blocks.hpp>
#include <etch/backend/cpu/sweep/short_rows.hpp>

/// Reductions with what is computed before, between and after them along the same rows: sums, softmax, layer norm.
/// Vectors run along the reduced axis where that is the innermost, and across rows otherwise.
namespace etch::cpu {

/// Kept: the number of row axes, first in the nest; Reduced: of those that are swept. AcrossRows: lanes lie along the last
/// row axis. ShortRow: the extent that is swept, where lanes lie across rows of a few elements (Reduced is 1); else 0.
template <class P, int Kept, int Reduced, bool AcrossRows, int ShortRow = 0>
struct sweep_kernel {
  static constexpr int rank = Kept + Reduced;
  static constexpr int slots = P::slots();

  ETCH_PART static void run_inline(const nest<rank, slots>& n) noexcept {
    if constexpr (!is_host_pass)
      return;
    else if constexpr (ShortRow > 0 && lanes_of<P>::count > 1)
      sweep_short_rows<P, Kept, ShortRow>::run(n);
    else if constexpr (AcrossRows)
      sweep_across<P, Kept, Reduced>::run(n);
    else
      sweep_along<P, Kept, Reduced>::run(n);
  }
  /// One copy of the code per kernel, whatever plans use it.
  ETCH_KERNEL static void run(const nest<rank, slots>& n) noexcept { run_inline(n); }
  using in_blocks = sweep_in_blocks<P, Kept, Reduced>;
  /// Of few long rows. threads: who shares them; null: nobody. of: the blocks that a task computes, else null.
  ETCH_KERNEL static void run_in_blocks([[maybe_unused]] const nest<rank, slots>& n, [[maybe_unused]] executor* threads,
                                        [[maybe_unused]] const typename in_blocks::part* of) noexcept {
    if constexpr (is_host_pass) in_blocks::run(n, threads, of, &run_in_blocks);
  }
};

}  // namespace etch::cpu
