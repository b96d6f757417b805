// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep/across.hpp>
#include <etch/backend/cpu/sweep/along.hpp>

/// Reductions with what is computed before, between and after them along the same rows: sums, softmax, layer norm.
/// Vectors run along the reduced axis where that is the innermost, and across rows otherwise.
namespace etch::cpu {

/// Kept: the number of row axes, first in the nest; Reduced: of those that are swept. AcrossRows: lanes lie along the last
/// row axis.
template <class P, int Kept, int Reduced, bool AcrossRows>
struct sweep_kernel {
  static constexpr int rank = Kept + Reduced;
  static constexpr int slots = P::slots();

  ETCH_INLINE static void run_inline(const nest<rank, slots>& n) noexcept {
    if constexpr (AcrossRows)
      sweep_across<P, Kept, Reduced>::run(n);
    else
      sweep_along<P, Kept, Reduced>::run(n);
  }
  /// One copy of the code per kernel, whatever plans use it.
  ETCH_NOINLINE static void run(const nest<rank, slots>& n) noexcept { run_inline(n); }
};

}  // namespace etch::cpu
