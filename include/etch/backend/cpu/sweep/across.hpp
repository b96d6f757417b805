// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep/blocks.hpp>

/// Sweeps whose vectors lie across rows, along the last axis that is kept: many rows at once. A tile of neighbouring rows
/// keeps its totals in memory that stays in the first cache, so that what is reduced is read in long pieces.
namespace etch::cpu {

/// Length: the extent that is swept, of rows that fill two vectors, where the compiler knows that; else 0.
template <class P, int Kept, int Reduced, int Length = 0>
struct sweep_across {
  static constexpr int rank = Kept + Reduced;
  static constexpr int slots = P::slots();
  using L = lanes_of<P>;
  static constexpr int width = L::count;
  static constexpr int sweeps = (P::sections() + 1) / 2;
  using file = registers<P, L>;

  ETCH_PART static void run(const nest<rank, slots>& n) noexcept {
    cursor<slots> c = start_of<Kept - 1>(n);
    for_each_row<0, Kept - 1>(n, c, [&](const cursor<slots> rows) ETCH_PARTED {
      const std::int64_t extent = n.extents[Kept - 1];
      for (std::int64_t i = 0; i < extent; i += tile_vectors * width)
        tile(n, rows, i, extent - i < tile_vectors * width ? extent - i : tile_vectors * width);
    });
  }

 private:
  /// Vectors in a tile. Several sweeps read the same elements again: fewer of them stay in the second cache.
  static constexpr int tile_vectors = [] {
    if (Length > 0) return 2;
    const int wanted = width == 1 ? 16 : sweeps == 1 ? 64 : 16;
    const int fitting = 1024 / P::size;
    return wanted < fitting ? wanted : fitting;
  }();
  /// How many elements along the reduced axis are unrolled.
  template <int S, int Turn = 8>
  static constexpr int unroll = [] {
    constexpr int weight = detail::weight_of_section<P, 2 * S>;
    int u = weight <= 4 ? 8 : weight <= 12 ? 4 : weight <= 32 ? 2 : 1;
    if (u > Turn) u = Turn;
    while (Turn % u != 0) --u;
    return u;
  }();
  /// So many of them are combined among themselves first: totals are read and written as much less often, and rounding errors of long sums
  /// are fewer. Of sums that round as many whatever the program computes, so that a sum has the same bits beside others.
  template <int S>
  static constexpr int turn = [] {
    constexpr int most = detail::sweep_rounds<P, S> ? 8 : unroll<S>, limit = Length > 0 && Length < most ? Length : most;
    for (int t = limit; Length > 0 && 2 * t >= limit; --t)
      if (Length % t == 0) return t;
    return most;
  }();

  ETCH_PART static void tile(const nest<rank, slots>& n, const cursor<slots>& rows, std::int64_t begin, std::int64_t count) {
    file r[tile_vectors];
    [&]<int... S>(std::integer_sequence<int, S...>)
        ETCH_PARTED { (sweep<S>(n, rows, begin, count, r), ...); }(std::make_integer_sequence<int, sweeps>{});
  }

  /// Calls f<Partial>(vector, lane offset, lanes) for each vector of a tile.
  template <class F>
  ETCH_PART static void for_each_vector(std::int64_t begin, std::int64_t count, const F& f) {
    std::int64_t k = 0;
    for (; (k + 1) * width <= count; ++k) f.template operator()<false>(k, begin + k * width, width);
    if constexpr (width > 1 && Length == 0)
      if (k * width < count) f.template operator()<true>(k, begin + k * width, static_cast<int>(count - k * width));
  }

  template <int S>
  ETCH_PART static void sweep(const nest<rank, slots>& n, const cursor<slots>& rows, std::int64_t begin, std::int64_t count,
                              file* r) {
    for_each_vector(begin, count, [&]<bool Partial>(std::int64_t k, std::int64_t, int) ETCH_PARTED {
      detail::for_each_reduction<P, S>([&]<int I>()
                                           ETCH_PARTED { r[k].template get<I>() = detail::reducer_of<P, L, I>::identity(); });
    });
    using block_totals = detail::totals_of_sweep<P, L, S, tile_vectors>;
    constexpr bool has_blocks = block_totals::needed && Length == 0;
    [[maybe_unused]] block_totals totals;
    [[maybe_unused]] std::int64_t terms = 0;  // at most that many were combined in one accumulator since the last block
    [[maybe_unused]] const auto end_block = [&]() ETCH_PARTED {
      for_each_vector(begin, count,
                      [&]<bool Partial>(std::int64_t k, std::int64_t, int) ETCH_PARTED { totals.take(static_cast<int>(k), r[k]); });
      ++totals.blocks;
      terms = 0;
    };
    cursor<slots> c = rows;
    for_each_row<Kept, rank - 1>(n, c, [&](const cursor<slots>& outer) ETCH_PARTED {
      cursor<slots> inner = outer;
      const std::int64_t extent = n.extents[rank - 1];
      std::int64_t j = 0, first = 0;
      for (;;) {
        const bool goes_on = has_blocks && extent - first > detail::block_size * turn<S>;
        const std::int64_t end = goes_on ? first + detail::block_size * turn<S> : extent;
        for (; j + turn<S> <= end; j += turn<S>) elements<S, turn<S>>(n, inner, begin, count, r, j);
        if (!goes_on) break;
        if constexpr (has_blocks) end_block();
        first = end;
      }
      if constexpr (turn<S> > 1 && (Length == 0 || Length % turn<S> != 0))
        for (; j < extent; ++j) elements<S, 1>(n, inner, begin, count, r, j);
      if constexpr (has_blocks && Reduced > 1) {
        terms += (extent - first) / turn<S> + turn<S>;
        if (terms >= detail::block_size) end_block();
      }
    });
    if constexpr (has_blocks)
      if (totals.blocks > 0)
        for_each_vector(begin, count, [&]<bool Partial>(std::int64_t k, std::int64_t, int) ETCH_PARTED {
          totals.give(static_cast<int>(k), r[k]);
        });
    for_each_vector(begin, count, [&]<bool Partial>(std::int64_t k, std::int64_t i, int lanes) ETCH_PARTED {
      evaluate_section<P, L, 2 * S + 1, false, Partial>(r[k], rows, i, lanes);
    });
  }

  /// Turn elements along the reduced axis from number j on, of every row in the tile; moves `inner` on. The few vectors of short rows
  /// take some elements after the others, so that these are in registers; other tiles have room for all.
  template <int S, int Turn>
  ETCH_PART static void elements(const nest<rank, slots>& n, cursor<slots>& inner, std::int64_t begin, std::int64_t count, file* r,
                                 [[maybe_unused]] std::int64_t j) {
    constexpr int some = unroll<S, Turn>, at_once = Length > 0 ? some : Turn;
    detail::operands_of_sweep<P, L, S, Turn> values[Length > 0 ? tile_vectors : 1];
    cursor<slots> c[at_once];
    file e[at_once];
    ETCH_UNROLL(1)
    for (int first = 0; first < Turn; first += at_once) {
      for (int t = 0; t < at_once; ++t) {
        c[t] = inner;
        evaluate_section<P, L, 2 * S, true, false>(e[t], inner, 0, width);
        for (int s = 0; s < slots; ++s) inner.data[s] += n.stride[s][rank - 1];
      }
      for_each_vector(begin, count, [&]<bool Partial>(std::int64_t k, std::int64_t i, int lanes) ETCH_PARTED {
        auto& of_vector = values[Length > 0 ? k : 0];
        ETCH_UNROLL(1)
        for (int t = 0; t < at_once; t += some) {
          ETCH_UNROLL(8)
          for (int u = t; u < t + some; ++u) {
            file at = e[u];  // of which only what is reduced is kept
            recall<S>(at, r[k]);
            evaluate_section<P, L, 2 * S, false, Partial>(at, c[u], i, lanes);
            of_vector.put(first + u, at);
          }
        }
        if (Length == 0 || first + at_once == Turn) take<S, Turn>(r[k], of_vector, j);
      });
    }
  }
  /// What the reductions of a sweep make of the values of Turn elements from number j on.
  template <int S, int Turn, class Values>
  ETCH_PART static void take(file& r, Values& values, [[maybe_unused]] std::int64_t j) {
    detail::for_each_reduction<P, S>([&]<int I>() ETCH_PARTED {
      using reducer = detail::reducer_of<P, L, I>;
      auto& total = r.template get<I>();
      auto& sum = values.template of<I>();
      if constexpr (is_located<P, I>) {
        ETCH_UNROLL(8)
        for (int t = 0; t < Turn; ++t) reducer::take(total, sum[t], j + t);
      } else if constexpr (reducer::folds && Turn > 1) {
        total = reducer::combine(total, reducer::fold(sum));
      } else {
        total = reducer::combine(
            total, detail::fold_tree(sum, [](const auto& a, const auto& b) ETCH_INLINED { return reducer::combine(a, b); }));
      }
    });
  }

  /// Copies what sweeps before S found out about the rows.
  template <int S>
  ETCH_PART static void recall(file& to, file& from) {
    [&]<int... I>(std::integer_sequence<int, I...>) ETCH_PARTED {
      (
          [&]() ETCH_PARTED {
            constexpr instruction in = decoded<P>::at(I);
            constexpr bool of_row = in.code == opcode::reduce || (in.section % 2 == 1 && in.code != opcode::store);
            if constexpr (of_row && in.section < 2 * S) to.template get<I>() = from.template get<I>();
          }(),
          ...);
    }(std::make_integer_sequence<int, P::size>{});
  }
};

}  // namespace etch::cpu
