// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/program/registers.hpp>

/// Loops prefetch the next page (software prefetch), since the hardware prefetcher stops where a page ends, and begins again after some
/// misses in the next one.
namespace etch::cpu {

/// Elements from which on a loop prefetches: fewer are in L1.
inline constexpr std::int64_t far_elements = 16384;
inline constexpr std::int64_t page_bytes = 4096;

/// Prefetches the first four lines of the next page where half a page before its begin is among so many bytes, at most a page, that are read
/// (or written) next. The sum of 10,000,000 floats takes 0.65 to 0.75 of the time of a loop without prefetches (Zen 4), that of 2 MB in L3
/// 0.96; to prefetch each line, 2 KiB ahead, took 1.4 and 1.14 times as long.
ETCH_INLINE void prefetch_next_page(const void* at, std::int64_t bytes) {
  const auto mark = reinterpret_cast<std::uintptr_t>(at) + page_bytes / 2;
  const std::uintptr_t page = (mark + static_cast<std::uintptr_t>(bytes)) / page_bytes * page_bytes;
  if (page <= mark) return;
  for (std::uintptr_t line = 0; line < 4; ++line) __builtin_prefetch(reinterpret_cast<const char*>(page + 64 * line));
}

namespace detail {
/// What a section loads along the lanes, and what it stores.
template <class P, int Section, bool Loads, bool Stores>
struct streams_of {
  struct table {
    int count = 0, slot[P::size + 1]{}, bytes[P::size + 1]{};
  };
  static constexpr table value = [] {
    table t;
    for (int i = 0; i < P::size; ++i) {
      const instruction& in = decoded<P>::at(i);
      const bool moves = (Loads && in.code == opcode::load) || (Stores && in.code == opcode::store);
      if (in.section != Section || !moves || in.mode != lane::next) continue;
      t.slot[t.count] = in.slot;
      t.bytes[t.count++] = size_of_dtype(in.memory);
    }
    return t;
  }();
};
}  // namespace detail

/// Prefetches of all that a section reads and writes along the lanes, from element `i` of the row on. Streamed: its stores are
/// non-temporal.
template <class P, int Section, bool Streamed = false, int Slots>
ETCH_PART void prefetch_next_pages(const cursor<Slots>& row, std::int64_t i, std::int64_t elements) {
  constexpr const auto& streams = detail::streams_of<P, Section, true, !Streamed>::value;
  [&]<int... K>(std::integer_sequence<int, K...>) ETCH_PARTED {
    (prefetch_next_page(row.data[streams.slot[K]] + i * streams.bytes[K], elements * streams.bytes[K]), ...);
  }(std::make_integer_sequence<int, streams.count>{});
}
/// Prefetches, to be written, the lines of element `i` that a section stores along the lanes. Inlined: g++ drops calls of functions that
/// only prefetch.
template <class P, int Section, int Slots>
ETCH_INLINE void prefetch_stores(const cursor<Slots>& row, std::int64_t i) {
  constexpr const auto& streams = detail::streams_of<P, Section, false, true>::value;
  [&]<int... K>(std::integer_sequence<int, K...>) ETCH_INLINED {
    (__builtin_prefetch(row.data[streams.slot[K]] + i * streams.bytes[K], 1), ...);
  }(std::make_integer_sequence<int, streams.count>{});
}
/// Whether a vector takes so long that the loads of the next ones, which a processor would begin meanwhile, are too few to hide how long memory takes:
/// such loops prefetch each line that they will load, 2 KiB ahead. log(exp(x) + 0.5) * tanh(y) of 60,000,000 floats takes 0.3 to 0.4 of the time, a
/// chain of 30 additions and multiplications 0.8 (Granite Rapids; 0.5 to 4 KiB ahead are alike).
template <class P>
inline constexpr bool waits_for_memory = detail::weight_of_section<P, 0> > 24;
/// Prefetches the lines that lie so far behind those of the vector at element `i`. Inlined, as `prefetch_stores`.
template <class P, int Section, int Slots>
ETCH_INLINE void prefetch_loads(const cursor<Slots>& row, std::int64_t i) {
  constexpr const auto& streams = detail::streams_of<P, Section, true, false>::value;
  [&]<int... K>(std::integer_sequence<int, K...>) ETCH_INLINED {
    (__builtin_prefetch(row.data[streams.slot[K]] + i * streams.bytes[K] + page_bytes / 2), ...);
  }(std::make_integer_sequence<int, streams.count>{});
}
/// Elements along the lanes of which none fill more than a page.
template <class P>
inline constexpr std::int64_t elements_of_page = [] {
  int size = 1;
  for (int i = 0; i < P::size; ++i)
    if (decoded<P>::at(i).code == opcode::load || decoded<P>::at(i).code == opcode::store)
      if (const int bytes = size_of_dtype(decoded<P>::at(i).memory); bytes > size) size = bytes;
  return page_bytes / size;
}();

}  // namespace etch::cpu
