// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/registers.hpp>
#include <etch/backend/nest.hpp>

/// Elementwise kernels: a loop nest whose innermost axis is walked in vectors.
namespace etch::cpu {

using etch::nest;

/// Calls `body(pointers)` for each index of axes [First, Last) of the nest.
template <int First, int Last, int Rank, int Slots, class Body>
ETCH_INLINE void for_each_row(const nest<Rank, Slots>& n, cursor<Slots>& c, const Body& body) {
  if constexpr (First == Last) {
    body(c);
  } else {
    cursor<Slots> row = c;
    for (std::int64_t i = 0; i < n.extents[First]; ++i) {
      cursor<Slots> inner = row;
      for_each_row<First + 1, Last>(n, inner, body);
      for (int s = 0; s < Slots; ++s) row.data[s] += n.stride[s][First];
    }
  }
}

template <class P, int Rank>
struct map_kernel {
  static constexpr int slots = P::slots();
  using lanes_type = lanes_of<P>;
  static constexpr int width = lanes_type::count;
  /// Short programs leave the adders idle between loads: four vectors a turn.
  static constexpr int unroll = width == 1 ? 1 : P::size <= 12 ? 4 : P::size <= 24 ? 2 : 1;

  ETCH_INLINE static void run_inline(const nest<Rank, slots>& n) noexcept {
    cursor<slots> c;
    for (int s = 0; s < slots; ++s) {
      c.data[s] = n.data[s];
      c.stride[s] = n.stride[s][Rank - 1];
    }
    for_each_row<0, Rank - 1>(n, c, [&](const cursor<slots>& row) __attribute__((always_inline)) {
      run_row(row, n.extents[Rank - 1]);
    });
  }
  /// One copy of the code per kernel, whatever plans use it.
  ETCH_NOINLINE static void run(const nest<Rank, slots>& n) noexcept { run_inline(n); }

 private:
  /// Takes the cursor by value: a store could change one that lives in memory, and each vector would load it again.
  ETCH_INLINE static void run_row(const cursor<slots> c, std::int64_t extent) {
    registers<P, lanes_type> r;
    evaluate_section<P, lanes_type, 0, true, false>(r, c, 0, width);
    std::int64_t i = 0;
    for (; i + unroll * width <= extent; i += unroll * width) vectors(r, c, i, std::make_integer_sequence<int, unroll>{});
    if constexpr (unroll > 1)
      for (; i + width <= extent; i += width) evaluate_section<P, lanes_type, 0, false, false>(r, c, i, width);
    if constexpr (width > 1)
      if (i < extent) evaluate_section<P, lanes_type, 0, false, true>(r, c, i, static_cast<int>(extent - i));
  }
  template <int... U>
  ETCH_INLINE static void vectors(registers<P, lanes_type>& r, const cursor<slots>& c, std::int64_t i,
                                  std::integer_sequence<int, U...>) {
    (evaluate_section<P, lanes_type, 0, false, false>(r, c, i + U * width, width), ...);
  }
};

}  // namespace etch::cpu
