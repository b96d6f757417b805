// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep/located.hpp>

/// Long sums of floats in blocks: an accumulator takes up 256 terms, then it is one term of a total of 64 such sums, that one
/// of a total of 64 of those, and so on. So the rounding errors of a sum grow with the size of a block, not with the number of
/// its terms: one long total would not even grow any more from 2^24 ones on.
namespace etch::cpu::detail {

/// A block is so long that what it costs to end one is lost beside it, and that its elements fill the first cache.
inline constexpr std::int64_t block_size = 256;
inline constexpr std::int64_t block_fan_in = 64;
/// Levels of totals over the accumulators: enough for 2^32 terms of each. The last one takes up what comes after that.
inline constexpr int block_levels = 4;

/// Whether reduction I of a program depends on the order of its terms so much: products have as many roundings in any order.
template <class P, int I>
inline constexpr bool is_sum_of_floats = is_of_floats<struct sum, P, I>;

/// The totals of reduction I, of Count accumulators side by side. `blocks`, the number of sums that they have taken up, says in
/// base 64 how many terms each level has; a level without any is not read, so that nothing needs to be set to 0.
template <class P, class L, int I, int Count, bool Needed = is_sum_of_floats<P, I>>
struct totals_of {
  using reducer = reducer_of<P, L, I>;
  using value = typename L::template value<decoded<P>::at(I).type>;
  value level[block_levels][Count];

  /// Takes up an accumulator, and empties it.
  ETCH_PART void take(int k, value& accumulator, std::int64_t blocks) {
    value x = accumulator;
    accumulator = reducer::identity();
    for (int l = 0; l < block_levels; ++l, blocks /= block_fan_in) {
      const bool last = l + 1 == block_levels;
      const std::int64_t terms = last ? blocks : blocks % block_fan_in;
      if (terms > 0) x = reducer::combine(level[l][k], x);
      if (last || terms + 1 < block_fan_in) {
        level[l][k] = x;
        return;
      }
    }
  }
  /// Adds all levels to an accumulator.
  ETCH_PART void give(int k, value& accumulator, std::int64_t blocks) const {
    for (int l = 0; l < block_levels; ++l, blocks /= block_fan_in)
      if (l + 1 == block_levels ? blocks > 0 : blocks % block_fan_in > 0) accumulator = reducer::combine(level[l][k], accumulator);
  }
};
template <class P, class L, int I, int Count>
struct totals_of<P, L, I, Count, false> {
  template <class V>
  ETCH_PART void take(int, V&, std::int64_t) {}
  template <class V>
  ETCH_PART void give(int, V&, std::int64_t) const {}
};

/// The totals of all reductions of a sweep.
template <class P, class L, int Count, class Reductions>
struct block_totals;
template <class P, class L, int Count, int... I>
struct block_totals<P, L, Count, std::integer_sequence<int, I...>> : totals_of<P, L, I, Count>... {
  static constexpr bool needed = (is_sum_of_floats<P, I> || ...);
  std::int64_t blocks = 0;

  /// Takes up the accumulators that a register file holds.
  template <class File>
  ETCH_PART void take([[maybe_unused]] int k, [[maybe_unused]] File& file) {
    (totals_of<P, L, I, Count>::take(k, file.template get<I>(), blocks), ...);
  }
  template <class File>
  ETCH_PART void give([[maybe_unused]] int k, [[maybe_unused]] File& file) const {
    (totals_of<P, L, I, Count>::give(k, file.template get<I>(), blocks), ...);
  }
};

/// Of sweep S of a program, for Count accumulators.
template <class P, class L, int S, int Count>
using totals_of_sweep = block_totals<P, L, Count, selected<P, 2 * S, choice::reductions>>;

}  // namespace etch::cpu::detail
