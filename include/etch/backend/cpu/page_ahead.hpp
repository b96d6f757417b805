// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/registers.hpp>

/// Pages that are asked for before they are reached. The hardware, which asks ahead by itself, stops where a page ends, and begins again
/// after some misses in the next one.
namespace etch::cpu {

/// Elements from which on a loop does that: fewer are in the first cache.
inline constexpr std::int64_t far_elements = 16384;
inline constexpr std::int64_t page_bytes = 4096;

/// Of so many bytes, at most a page, that are read (or written) next: where half a page before the end of a page is among them, the first
/// four lines of the page behind it are asked for. The sum of 10,000,000 floats takes 0.65 to 0.75 of the time of a loop that asks for
/// nothing (Zen 4), that of 2 MB in L3 0.96; to ask for each line, 2 KiB ahead, took 1.4 and 1.14 times as long.
ETCH_INLINE void ask_for_next_page(const void* at, std::int64_t bytes) {
  const auto mark = reinterpret_cast<std::uintptr_t>(at) + page_bytes / 2;
  const std::uintptr_t page = (mark + static_cast<std::uintptr_t>(bytes)) / page_bytes * page_bytes;
  if (page <= mark) return;
  for (std::uintptr_t line = 0; line < 4; ++line) __builtin_prefetch(reinterpret_cast<const char*>(page + 64 * line));
}

/// The same of all that a section reads and writes along the lanes, from element `i` of the row on. None: of which no page is asked for.
template <class P, int Section, int Slots, opcode... None>
ETCH_PART void ask_for_next_pages(const cursor<Slots>& row, std::int64_t i, std::int64_t elements) {
  [&]<int... I>(std::integer_sequence<int, I...>) ETCH_PARTED {
    (
        [&]() ETCH_PARTED {
          constexpr instruction in = decoded<P>::at(I);
          if constexpr ((in.code == opcode::load || in.code == opcode::store) && in.mode == lane::next &&
                        ((in.code != None) && ...)) {
            constexpr int size = size_of_dtype(in.memory);
            ask_for_next_page(row.data[in.slot] + i * size, elements * size);
          }
        }(),
        ...);
  }(selected<P, Section, choice::varying>{});
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
