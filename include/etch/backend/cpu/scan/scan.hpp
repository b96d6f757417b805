// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/scan/across.hpp>
#include <etch/backend/cpu/scan/along.hpp>

/// Scans (prefix sums) with what is computed before and behind them element by element: running sums, recurrences.
namespace etch::cpu {

/// Kept: the number of row axes, first in the nest. AcrossRows: accesses say how they move along the last of these, not along the axis
/// that is walked.
template <class P, int Kept, bool AcrossRows>
struct scan_kernel {
  static constexpr int slots = P::slots();

  ETCH_PART static void run_inline(const nest<Kept + 1, slots>& n) noexcept {
    if constexpr (!is_host_pass)
      return;
    else if constexpr (AcrossRows)
      scan_across<P, Kept>::run(n);
    else
      scan_along<P, Kept>::run(n);
  }
  /// One copy of the code per kernel, whatever plans use it.
  ETCH_KERNEL static void run(const nest<Kept + 1, slots>& n) noexcept { run_inline(n); }
};

}  // namespace etch::cpu
