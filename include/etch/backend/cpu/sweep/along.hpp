// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/program/prefetch.hpp>
#include <etch/backend/cpu/sweep/blocks.hpp>

/// Sweeps whose vectors run along the reduced axis: one row after the other.
namespace etch::cpu {

template <class P, int Kept, int Reduced>
struct sweep_along {
  static constexpr int rank = Kept + Reduced;
  static constexpr int slots = P::slots();
  using L = lanes_of<P>;
  static constexpr int width = L::count;
  static constexpr int sweeps = (P::sections() + 1) / 2;
  using file = registers<P, L>;

  ETCH_PART static void run(const nest<rank, slots>& n) noexcept {
    cursor<slots> c = start_of<rank - 1>(n);
    std::int64_t swept = 1, all = 1;
    for (int d = 0; d < rank; ++d) (d < Kept ? all : swept) *= n.extents[d];
    all *= swept;
    for_each_row<0, Kept>(n, c, [&](const cursor<slots>& row) ETCH_PARTED {
      file r;
      [&]<int... S>(std::integer_sequence<int, S...>) ETCH_PARTED {
        (sweep<S>(n, row, r, (S == 0 ? all : swept) >= far_elements), ...);
      }(std::make_integer_sequence<int, sweeps>{});
    });
  }

 protected:
  /// Vectors that are unrolled. Independent accumulators hide the latency of the addition (4 cycles, 2 a cycle), and of the loads; what
  /// takes longer than that to compute needs none.
  template <int S>
  static constexpr int unroll = [] {
    constexpr int weight = detail::weight_of_section<P, 2 * S>;
    return width == 1 ? 1 : weight <= 6 ? 8 : weight <= 12 ? 4 : weight <= 32 ? 2 : 1;
  }();
  /// Of sums that round as many whatever the program computes, so that a sum has the same bits beside others.
  template <int S>
  static constexpr int accumulators = width > 1 && detail::sweep_rounds<P, S> ? 8 : unroll<S>;

  template <int S>
  ETCH_PART static void sweep(const nest<rank, slots>& n, const cursor<slots> row, file& r, bool is_far) {
    constexpr int turn = accumulators<S> * width;
    using block_totals = detail::totals_of_sweep<P, L, S, 1>;
    file u[accumulators<S>];
    [[maybe_unused]] block_totals totals;
    [[maybe_unused]] std::int64_t terms = 0;  // at most that many were combined in one accumulator since the last block
    detail::for_each_reduction<P, S>([&]<int I>() ETCH_PARTED { clear_all<S, I, 0>(u); });
    cursor<slots> c = row;
    for_each_row<Kept, rank - 1>(n, c, [&](const cursor<slots> inner) ETCH_PARTED {
      evaluate_section<P, L, 2 * S, true, false>(r, inner, 0, width);
      const std::int64_t extent = n.extents[rank - 1];
      std::int64_t begin = 0;
      for (;;) {
        const bool goes_on = block_totals::needed && extent - begin > detail::block_size * turn;
        const std::int64_t end = goes_on ? begin + detail::block_size * turn : extent;
        elements<S>(r, u, inner, begin, end, is_far);
        if (!goes_on) break;
        if constexpr (block_totals::needed) end_block<S>(u, totals);
        begin = end;
        terms = 0;
      }
      if constexpr (block_totals::needed && Reduced > 1) {
        terms += (extent - begin) / turn + accumulators<S>;
        if (terms < detail::block_size) return;
        end_block<S>(u, totals);
        terms = 0;
      }
    });
    if (Reduced > 1 || n.extents[rank - 1] >= turn)  // else only the first accumulator has taken up anything
      detail::for_each_reduction<P, S>([&]<int I>() ETCH_PARTED { combine_all<S, I>(u); });
    if constexpr (block_totals::needed)
      if (totals.blocks > 0) totals.give(0, u[0]);
    detail::for_each_reduction<P, S>(
        [&]<int I>() ETCH_INLINED { r.template get<I>() = detail::reducer_of<P, L, I>::across(u[0].template get<I>()); });
    evaluate_section<P, L, 2 * S + 1, false, false>(r, row, 0, width);
  }

  /// Elements [i, end) of a row.
  template <int S>
  ETCH_PART static void elements(file& r, file (&u)[accumulators<S>], const cursor<slots>& row, std::int64_t i, std::int64_t end,
                                 bool is_far) {
    constexpr int turn = accumulators<S> * width;
    static_assert(turn <= elements_of_page<P>);
    while (i + turn <= end) {
      const std::int64_t past = end - i > elements_of_page<P> ? i + elements_of_page<P> : end;
      if (is_far) prefetch_next_pages<P, 2 * S>(row, i, past - i);
      const std::int64_t whole = (past - i) / turn * turn;
      ETCH_UNROLL(1)
      for (int k = 0; k < accumulators<S>; k += unroll<S>) unrolled<S>(r, u + k, row, i, i + whole, k * width);
      i += whole;
    }
    if constexpr (accumulators<S> > 1)
      for (; i + width <= end; i += width) vector<S, false>(r, u[0], row, i, width, i / width);
    if constexpr (width > 1)
      if (i < end) vector<S, true>(r, u[0], row, i, static_cast<int>(end - i), i / width);
  }
  // Loops over accumulators are unrolled, or g++ keeps them in memory: sums of rows of 1,024 take 0.4 of the time in L1, 0.55 in L2
  // (Zen 3).
  /// Accumulators of reduction I from the one given on.
  template <int S, int I, int From>
  ETCH_PART static void clear_all(file (&u)[accumulators<S>]) {
    ETCH_UNROLL(8)
    for (int k = From; k < accumulators<S>; ++k) u[k].template get<I>() = detail::reducer_of<P, L, I>::identity();
  }
  /// All accumulators of reduction I become the first.
  template <int S, int I, int Step = accumulators<S> / 2>
  ETCH_PART static void combine_all(file (&u)[accumulators<S>]) {
    if constexpr (is_located<P, I> && Step == accumulators<S> / 2) {
      ETCH_UNROLL(8)
      for (int k = 1; k < accumulators<S>; ++k) u[k].template get<I>().at += static_cast<unsigned>(k);
    }
    if constexpr (Step > 0) {
      ETCH_UNROLL(8)
      for (int k = 0; k < Step; ++k)
        u[k].template get<I>() = detail::reducer_of<P, L, I>::combine(u[k].template get<I>(), u[k + Step].template get<I>());
      combine_all<S, I, Step / 2>(u);
    }
  }
  template <int S, class Totals>
  ETCH_PART static void end_block(file (&u)[accumulators<S>], Totals& totals) {
    detail::for_each_reduction<P, S>([&]<int I>() ETCH_PARTED {
      if constexpr (detail::is_sum_of_floats<P, I>) {
        combine_all<S, I>(u);
        clear_all<S, I, 1>(u);
      }
    });
    totals.take(0, u[0]);
    ++totals.blocks;
  }

  /// Of each turn in elements [i, end) of a row the vectors at `offset` that are unrolled: what they give stays in registers.
  template <int S>
  ETCH_PART static void unrolled(file& r, file* accumulator, const cursor<slots>& row, std::int64_t i, std::int64_t end,
                                 int offset) {
    constexpr int turn = accumulators<S> * width;
    file u[unroll<S>];
    copy_all<S>(accumulator, u);
    for (; i < end; i += turn) vectors<S>(r, u, row, i + offset, i / width, std::make_integer_sequence<int, unroll<S>>{});
    copy_all<S>(u, accumulator);
  }
  template <int S>
  ETCH_PART static void copy_all(file* from, file* to) {
    detail::for_each_reduction<P, S>([&]<int I>() ETCH_PARTED {
      ETCH_UNROLL(8)
      for (int k = 0; k < unroll<S>; ++k) to[k].template get<I>() = from[k].template get<I>();
    });
  }
  template <int S, int... U>
  ETCH_PART static void vectors(file& r, file* u, const cursor<slots>& c, std::int64_t i, std::int64_t number,
                                std::integer_sequence<int, U...>) {
    if constexpr (sizeof...(U) > 1 && detail::sweep_folds<P, L, S>) {
      detail::operands_of_sweep<P, L, S, sizeof...(U)> values;
      ((evaluate_section<P, L, 2 * S, false, false>(r, c, i + U * width, width), values.put(U, r)), ...);
      detail::for_each_reduction<P, S>([&]<int I>() ETCH_PARTED {
        using reducer = detail::reducer_of<P, L, I>;
        auto& x = values.template of<I>();
        if constexpr (reducer::folds)
          u[0].template get<I>() = reducer::combine(u[0].template get<I>(), reducer::fold(x));
        else
          (reducer::take(u[U].template get<I>(), x[U], number), ...);
      });
    } else {
      (vector<S, false>(r, u[U], c, i + U * width, width, number), ...);
    }
  }
  /// One vector of elements; the results of reductions are kept in `total`. number: of the first vector of those that have one at once.
  template <int S, bool Partial>
  ETCH_PART static void vector(file& r, file& total, const cursor<slots>& c, std::int64_t i, int count,
                               [[maybe_unused]] std::int64_t number) {
    evaluate_section<P, L, 2 * S, false, Partial>(r, c, i, count);
    detail::for_each_reduction<P, S>([&]<int I>() ETCH_PARTED {
      using reducer = detail::reducer_of<P, L, I>;
      const auto& value = r.template get<decoded<P>::at(I).a>();
      auto& t = total.template get<I>();
      if constexpr (Partial)
        reducer::take_first(t, value, number, count);
      else
        reducer::take(t, value, number);
    });
  }
};

}  // namespace etch::cpu
