// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep/along.hpp>
#include <etch/backend/cpu/threads/tasks.hpp>

/// Sweeps of few long rows, in blocks that threads share. Where blocks lie follows from the extents alone, and what they give is combined
/// in their order, so the result is the same to the last bit for any number of threads.
namespace etch::cpu {

namespace detail {

template <class P, class L, int I>
struct value_of_reduction {
  typename indexed_register<P, L, I>::type value;
};
/// What the reductions of a sweep give for one block.
template <class P, class L, class Reductions>
struct block_values;
template <class P, class L, int... I>
struct block_values<P, L, std::integer_sequence<int, I...>> : value_of_reduction<P, L, I>... {
  template <class File>
  ETCH_PART void put([[maybe_unused]] File& file) {
    ((this->value_of_reduction<P, L, I>::value = file.template get<I>()), ...);
  }
  template <class File>
  ETCH_PART void give([[maybe_unused]] File& file) const {
    ((file.template get<I>() = this->value_of_reduction<P, L, I>::value), ...);
  }
};

}  // namespace detail

template <class P, int Kept, int Reduced>
struct sweep_in_blocks : private sweep_along<P, Kept, Reduced> {
  using along = sweep_along<P, Kept, Reduced>;
  using along::rank, along::slots, along::width, along::sweeps;
  using typename along::file, typename along::L;

  /// Some blocks of one sweep of a row, which is the nest's only one: what a task computes.
  struct part {
    int sweep = 0;
    const file* row_values = nullptr;  ///< the registers that the sweeps before have left
    std::int64_t first = 0, last = 0;
    void* values = nullptr;  ///< for the first of them, of the sweep's `values_of`
  };
  using kernel_type = void (*)(const nest<rank, slots>&, executor*, const part*) noexcept;

  /// threads: null where the caller runs alone. self: the kernel that this is inlined into, which tasks call with the part that they
  /// compute: so there is one copy of the loops.
  ETCH_PART static void run(const nest<rank, slots>& n, executor* threads, const part* of, kernel_type self) noexcept {
    cursor<slots> c = start_of<rank - 1>(n);
    for_each_row<0, Kept>(n, c, [&](const cursor<slots>& row) ETCH_PARTED {
      file r;
      if (of != nullptr) r = *of->row_values;
      [&]<int... S>(std::integer_sequence<int, S...>)
          ETCH_PARTED { (sweep<S>(n, row, r, threads, of, self), ...); }(std::make_integer_sequence<int, sweeps>{});
    });
  }

 private:
  template <int S>
  using values_of = detail::block_values<P, L, selected<P, 2 * S, choice::reductions>>;
  /// Elements of a block along the last axis, at most: a power of two.
  template <int S>
  static constexpr std::int64_t length = detail::block_size * along::template accumulators<S> * width;

  /// A block is a piece of a row along the last axis, or several rows that are short.
  struct block_grid {
    std::int64_t rows = 1, pieces = 1;  ///< along the axes before the last one; of each of these rows
    std::int64_t together = 1;          ///< rows in a block
    std::int64_t count = 0;
  };
  template <int S>
  ETCH_PART static block_grid grid_of(const nest<rank, slots>& n) {
    const std::int64_t extent = n.extents[rank - 1];
    block_grid g;
    g.pieces = (extent + length<S> - 1) / length<S>;
    if constexpr (Reduced > 1) {
      for (int d = Kept; d < rank - 1; ++d) g.rows *= n.extents[d];
      constexpr int accumulators = along::template accumulators<S>;
      const std::int64_t terms = extent / (accumulators * width) + accumulators;
      if (g.pieces == 1 && terms < detail::block_size) g.together = detail::block_size / terms;
      g.count = (g.rows + g.together - 1) / g.together * g.pieces;
    } else {
      g.count = g.pieces;
    }
    return g;
  }

  template <int S>
  ETCH_PART static void sweep(const nest<rank, slots>& n, const cursor<slots>& row, file& r, executor* threads, const part* of,
                              kernel_type self) {
    if (of != nullptr && of->sweep != S) return;
    const block_grid g = grid_of<S>(n);
    file total, u[along::template accumulators<S>];
    for_each<S>([&]<int I>() ETCH_PARTED { total.template get<I>() = detail::reducer_of<P, L, I>::identity(); });
    [[maybe_unused]] detail::totals_of_sweep<P, L, S, 1> totals;
    const auto add = [&](std::int64_t b) ETCH_PARTED {
      if (b + 1 < g.count) {
        totals.take(0, u[0]);
        ++totals.blocks;
      } else if (totals.blocks > 0) {
        totals.give(0, u[0]);
      }
      for_each<S>([&]<int I>() ETCH_PARTED {
        auto& t = total.template get<I>();
        if constexpr (detail::is_sum_of_floats<P, I>)
          t = u[0].template get<I>();
        else
          t = detail::reducer_of<P, L, I>::combine(t, u[0].template get<I>());
      });
    };
    std::int64_t b = 0, end = g.count;
    if (of != nullptr) {
      b = of->first;
      end = of->last;
    } else if (threads != nullptr && end > 1) {
      values_of<S> values[most<S>];
      while (const std::int64_t count = share<S>(n, row, r, *threads, g, b, values, self)) {
        for (std::int64_t k = 0; k < count; ++k) {
          values[k].give(u[0]);
          add(b + k);
        }
        b += count;
      }
    }
    for (; b < end; ++b) {
      block<S>(n, row, r, g, b, u);
      if (of != nullptr)
        static_cast<values_of<S>*>(of->values)[b - of->first].put(u[0]);
      else
        add(b);
    }
    if (of != nullptr) return;
    for_each<S>([&]<int I>() ETCH_PARTED { r.template get<I>() = detail::reducer_of<P, L, I>::across(total.template get<I>()); });
    evaluate_section<P, L, 2 * S + 1, false, false>(r, row, 0, width);
  }

  /// How many blocks are shared at a time: their values lie on the stack.
  template <int S>
  static constexpr std::int64_t most = 65536 / static_cast<std::int64_t>(sizeof(values_of<S>));

  /// Computes blocks from `first` on in tasks, and gives how many: 0 where that is not worth it.
  template <int S>
  ETCH_NOINLINE static std::int64_t share(const nest<rank, slots>& n, const cursor<slots>& row, const file& r, executor& threads,
                                          const block_grid& g, std::int64_t first, values_of<S>* values, kernel_type self) {
    const std::int64_t blocks = g.count - first < most<S> ? g.count - first : most<S>;
    const std::int64_t extent = n.extents[rank - 1], elements = extent < length<S> ? g.together * extent : length<S>;
    std::int64_t tasks = blocks * elements * (P::size + slots) / threads.least_work();
    if (tasks > 4 * threads.workers()) tasks = 4 * threads.workers();
    if (tasks > blocks) tasks = blocks;
    if (tasks < 2) return 0;
    nest<rank, slots> one_row = n;
    for (int d = 0; d < Kept; ++d) one_row.extents[d] = 1;
    for (int s = 0; s < slots; ++s) one_row.data[s] = row.data[s];
    run_tasks(threads, static_cast<int>(tasks), [&](int task, int) {
      const std::int64_t begin = blocks * task / tasks, end = blocks * (task + 1) / tasks;
      const part of = {S, &r, first + begin, first + end, values + begin};
      self(one_row, nullptr, &of);
    });
    return blocks;
  }

  /// Sweeps block b; what it gives is in the first accumulators.
  template <int S>
  ETCH_PART static void block(const nest<rank, slots>& n, const cursor<slots>& row, const file& row_values, const block_grid& g,
                              std::int64_t b, file (&u)[along::template accumulators<S>]) {
    file r = row_values;  // whose address nobody has: else each element's registers were written to memory
    for_each<S>([&]<int I>() ETCH_PARTED { along::template clear_all<S, I, 0>(u); });
    const std::int64_t extent = n.extents[rank - 1];
    const auto piece = [&](const cursor<slots>& at, std::int64_t begin) ETCH_PARTED {
      evaluate_section<P, L, 2 * S, true, false>(r, at, 0, width);
      along::template elements<S>(r, u, at, begin, extent - begin < length<S> ? extent : begin + length<S>, true);
    };
    if constexpr (Reduced > 1) {
      const std::int64_t first = b / g.pieces * g.together, begin = b % g.pieces * length<S>;
      for (std::int64_t i = first; i < first + g.together && i < g.rows; ++i) piece(at_row(n, row, i), begin);
    } else {
      piece(row, b * length<S>);
    }
    for_each<S>([&]<int I>() ETCH_PARTED { along::template combine_all<S, I>(u); });
  }
  ETCH_PART static cursor<slots> at_row(const nest<rank, slots>& n, cursor<slots> c, std::int64_t i) {
    for (int d = rank - 2; d >= Kept; --d) {
      const std::int64_t at = i % n.extents[d];
      i /= n.extents[d];
      for (int s = 0; s < slots; ++s) c.data[s] += at * n.stride[s][d];
    }
    return c;
  }
  template <int S, class F>
  ETCH_PART static void for_each(const F& f) {
    detail::for_each_reduction<P, S>(f);
  }
};

}  // namespace etch::cpu
