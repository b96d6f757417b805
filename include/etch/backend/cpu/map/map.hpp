// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map/packed_rows.hpp>
#include <etch/backend/cpu/program/prefetch.hpp>
#include <etch/backend/nest.hpp>

/// Elementwise kernels: a loop nest whose innermost axis is walked in vectors.
namespace etch::cpu {

using etch::nest;

/// Calls `body(pointers)` for each index of axes [First, Last) of the nest.
template <int First, int Last, int Rank, int Slots, class Body>
ETCH_PART void for_each_row(const nest<Rank, Slots>& n, cursor<Slots>& c, const Body& body) {
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

/// Lanes: `scalar_lanes` for a single element, which costs less to run and to compile in no vector. MayStream: whether the extents
/// can be that large. MayRepeat: whether nothing that it stores is what it loads, so that the end of a row may be a whole vector,
/// some elements of which are recomputed.
template <class P, int Rank, class Lanes = lanes_of<P>, bool MayStream = Rank == 1, bool MayRepeat = false>
struct map_kernel {
  static constexpr int slots = P::slots();
  using lanes_type = Lanes;
  static constexpr int width = lanes_type::count;
  /// Short programs leave the adders idle between loads: four vectors a turn. Of those that prefetch their lines one, which `prefetch_loads` asks for.
  static constexpr int unroll = [] {
    constexpr int weight = detail::weight_of_section<P, 0>;
    return width == 1 || waits_for_memory<P> ? 1 : weight <= 12 ? 4 : 2;
  }();

  ETCH_PART static void run_inline(const nest<Rank, slots>& n) noexcept {
    if constexpr (is_host_pass) {
      if constexpr (Rank == 1 && streamed_bytes > 0)
        if (n.extents[0] >= least_streamed_bytes / streamed_bytes && run_streamed(n)) return;
      cursor<slots> c = start_of<Rank - 1>(n);
      std::int64_t all = 1;
      for (int d = 0; d < Rank; ++d) all *= n.extents[d];
      const bool is_far = width > 1 && all >= far_elements;
      for_each_row<0, Rank - 1>(n, c, [&](const cursor<slots>& row) ETCH_PARTED { run_row(row, n.extents[Rank - 1], is_far); });
    }
  }
  /// One copy of the code per kernel, whatever plans use it.
  ETCH_KERNEL static void run(const nest<Rank, slots>& n) noexcept {
    if constexpr (is_host_pass && Rank == 2 && width > 1) {
      constexpr const auto& slot = detail::row_slots<P, false>;
      if constexpr (slot.all_can) {
        const detail::two_axes axes{n.extents[0], n.extents[1], n.stride[0], Rank};
        if (const auto copied = detail::find_copied(slot.at, slots, axes, width, false); copied.at_once > 0) {
          detail::packed_memory<slots> copies;
          return detail::for_packed_rows<slots>(slot.at, copied, axes, n.data, copies,
                                                [](const nest<2, slots>& rows) ETCH_INLINED { run_inline(rows); });
        }
      }
    }
    run_inline(n);
  }

  /// A single row of so many elements, a few vectors: with that number known there is no loop, and what is less than a vector is moved
  /// whole, so that loads need not wait for stores just before.
  template <int Count>
  ETCH_PART static void run_short(const nest<1, slots>& n) noexcept {
    if constexpr (!is_host_pass)
      return;
    else if constexpr (unroll == 1 && width > 1)
      run_heavy<Count>(n);
    else
      write_out<Count>(n);
  }

  /// Bytes touched per element if stores can be non-temporal (streaming), else 0: every store of whole vectors, of elements of one size.
  static constexpr std::int64_t streamed_bytes = [] {
    std::int64_t bytes = 0;
    int stored = 0;
    for (int i = 0; i < P::size; ++i) {
      const instruction in = P::at(i);
      if (in.code != opcode::load && in.code != opcode::store) continue;
      const bool next = in.mode == lane::next;
      if (in.code == opcode::store && (!next || in.type == dtype::boolean || in.memory != in.type)) return std::int64_t{0};
      const int size = size_of_dtype(in.memory);
      if (in.code == opcode::store && stored != 0 && size != stored) return std::int64_t{0};
      if (in.code == opcode::store) stored = size;
      if (next) bytes += size;
    }
    return MayStream && width > 1 ? bytes : 0;
  }();
  /// After how many elements of a row along the last axis, wherever it begins, all results lie at a multiple of a vector's size; -1: rows, or
  /// results, differ.
  static std::int64_t elements_before_streaming(const nest<Rank, slots>& n) {
    for (int s = 0; s < slots; ++s)
      for (int d = 0; d < Rank - 1; ++d)
        if (is_stored(s) && n.stride[s][d] % vector_bytes != 0) return -1;
    const cursor<slots> c = start_of<Rank - 1>(n);
    return can_stream(c) ? elements_to_a_vector(c) : -1;
  }
  /// Rows that begin there, by non-temporal stores; the caller calls `finish_streamed` when all are done.
  ETCH_PART static void run_streamed_rows(const nest<Rank, slots>& n) {
    cursor<slots> c = start_of<Rank - 1>(n);
    for_each_row<0, Rank - 1>(n, c, [&](const cursor<slots>& row) ETCH_PARTED {
      registers<P, lanes_type> r;
      evaluate_section<P, lanes_type, 0, true, false>(r, row, 0, width);
      stream(r, row, 0, n.extents[Rank - 1]);
    });
  }

 private:
  template <int Count>
  ETCH_PART static void write_out(const nest<1, slots>& n) {
    const cursor<slots> c = start_of<0>(n);
    registers<P, lanes_type> r;
    evaluate_section<P, lanes_type, 0, true, false>(r, c, 0, width);
    vectors(r, c, 0, std::make_integer_sequence<int, Count / width>{});
    if constexpr (Count % width > 0) evaluate_section<P, lanes_type, 0, false, true>(r, c, Count / width * width, Count % width);
  }
  /// Of long programs in a function of its own, which has the functions of numbers inlined.
  template <int Count>
  ETCH_KERNEL static void run_heavy(const nest<1, slots>& n) noexcept {
    write_out<Count>(n);
  }
  static constexpr bool is_stored(int slot) { return P::stored_by(slot) != dtype::none; }
  static constexpr int first_stored = [] {
    for (int s = 0; s < slots; ++s)
      if (is_stored(s)) return s;
    return 0;
  }();
  static constexpr std::int64_t stored_size = size_of_dtype(P::stored_by(first_stored)), vector_bytes = width * stored_size;
  /// Whether all results start at the same place within a vector, and none overwrites an operand, which is in the cache.
  static bool can_stream(const cursor<slots>& c) {
    for (int s = 0; s < slots; ++s) {
      if (!is_stored(s)) continue;
      if ((c.data[s] - c.data[first_stored]) % vector_bytes != 0) return false;
      for (int t = 0; t < slots; ++t)
        if (t != s && c.data[t] == c.data[s]) return false;
    }
    return reinterpret_cast<std::uintptr_t>(c.data[first_stored]) % stored_size == 0;
  }
  static std::int64_t elements_to_a_vector(const cursor<slots>& c) {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(c.data[first_stored]) % vector_bytes);
    return (vector_bytes - past) % vector_bytes / stored_size;
  }
  /// False where it cannot. Not inlined, and makes a cursor of its own: that of short rows then stays in registers.
  ETCH_KERNEL static bool run_streamed(const nest<Rank, slots>& n) {
    const cursor<slots> c = start_of<Rank - 1>(n);
    if (!can_stream(c)) return false;
    registers<P, lanes_type> r;
    evaluate_section<P, lanes_type, 0, true, false>(r, c, 0, width);
    const std::int64_t first = elements_to_a_vector(c);
    evaluate_section<P, lanes_type, 0, false, true>(r, c, 0, static_cast<int>(first));
    stream(r, c, first, n.extents[0]);
    finish_streamed();
    return true;
  }
  /// Elements of a row from i on, where results lie at multiples of a vector's size.
  ETCH_PART static void stream(registers<P, lanes_type>& r, const cursor<slots>& c, std::int64_t i, std::int64_t extent) {
    while (i + width <= extent) {
      const std::int64_t past = extent - i > elements_of_page<P> ? i + elements_of_page<P> : extent;
      prefetch_next_pages<P, 0, true>(c, i, past - i);
      for (; i + width <= past; i += width) {
        if constexpr (waits_for_memory<P>) prefetch_loads<P, 0>(c, i);
        evaluate_section<P, lanes_type, 0, false, false, true>(r, c, i, width);
      }
    }
    if (i < extent) evaluate_section<P, lanes_type, 0, false, true>(r, c, i, static_cast<int>(extent - i));
  }

  /// Takes the cursor by value: a store could change one that lives in memory, and each vector would load it again.
  ETCH_PART static void run_row(const cursor<slots> c, std::int64_t extent, bool is_far) {
    registers<P, lanes_type> r;
    evaluate_section<P, lanes_type, 0, true, false>(r, c, 0, width);
    static_assert(unroll * width <= elements_of_page<P>);
    std::int64_t i = 0;
    while (i + unroll * width <= extent) {
      const std::int64_t past = extent - i > elements_of_page<P> ? i + elements_of_page<P> : extent;
      if (is_far) prefetch_next_pages<P, 0>(c, i, past - i);
      for (; i + unroll * width <= past; i += unroll * width) {
        if constexpr (waits_for_memory<P>)
          if (is_far) prefetch_loads<P, 0>(c, i);
        vectors(r, c, i, std::make_integer_sequence<int, unroll>{});
      }
    }
    if constexpr (unroll > 1)
      for (; i + width <= extent; i += width) evaluate_section<P, lanes_type, 0, false, false>(r, c, i, width);
    if constexpr (MayRepeat && width > 1) {
      if (i < extent && extent >= width) {
        evaluate_section<P, lanes_type, 0, false, false>(r, c, extent - width, width);
        return;
      }
    }
    if constexpr (width > 1)
      if (i < extent) evaluate_section<P, lanes_type, 0, false, true>(r, c, i, static_cast<int>(extent - i));
  }
  template <int... U>
  ETCH_PART static void vectors(registers<P, lanes_type>& r, const cursor<slots>& c, std::int64_t i,
                                std::integer_sequence<int, U...>) {
    (evaluate_section<P, lanes_type, 0, false, false>(r, c, i + U * width, width), ...);
  }
};

/// Maps whose rows fill no registers, beside columns: (n, 3) with (n, 1). Plans say where.
template <class P, int Rank>
struct packed_map_kernel {
  static constexpr int slots = P::slots();
  using whole = map_kernel<P, Rank, lanes_of<P>, false>;
  using packed = map_kernel<detail::packed_rows_program<P>, 2, lanes_of<P>, false>;

  ETCH_KERNEL static void run(const nest<Rank, slots>& n) noexcept {
    if constexpr (is_host_pass) {
      constexpr const auto& slot = detail::row_slots<P, true>;
      if constexpr (slot.all_can) {
        const detail::two_axes axes{n.extents[Rank - 2], n.extents[Rank - 1], n.stride[0] + (Rank - 2), Rank};
        if (const auto copied = detail::find_copied(slot.at, slots, axes, whole::width, true); copied.at_once > 0) {
          detail::packed_memory<slots> copies;
          cursor<slots> c = start_of<Rank - 1>(n);
          return for_each_row<0, Rank - 2>(n, c, [&](const cursor<slots>& row) {
            detail::for_packed_rows<slots>(slot.at, copied, axes, row.data, copies,
                                           [](const nest<2, slots>& rows) { packed::run_inline(rows); });
          });
        }
      }
      whole::run_inline(n);
    }
  }
};

}  // namespace etch::cpu
