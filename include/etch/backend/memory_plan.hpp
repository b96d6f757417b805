// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/memory.hpp>
#include <etch/schedule/plan.hpp>
#ifdef ETCH_VERIFY
#include <etch/passes/verify_memory.hpp>
#endif

/// Memory planning: the arena of a plan, computed by the compiler where all extents are numbers, and at run time where some are
/// named.
namespace etch {

/// Offsets in bytes per buffer (0 for those outside the arena), and the arena's size.
struct arena_layout {
  vector<std::int64_t> offset;
  std::int64_t bytes = 0;
};

/// The first buffer that is too large for any memory when the named extents have these counts; -1 where none is.
ETCH_NOINLINE constexpr int find_too_large(const buffer* buffers, int count, const extent_table& extents,
                                           const std::int64_t* values) {
  for (int b = 0; b < count; ++b) {
    std::int64_t elements = 0;
    if (!extents.evaluates(buffers[b].elements, values, elements) || elements > most_bytes / 8) return b;
  }
  return -1;
}

/// `values` gives each named extent's count. Throws `etch::error` where a buffer is too large for any memory.
ETCH_NOINLINE constexpr arena_layout lay_out(const buffer* buffers, int count, const extent_table& extents,
                                             const std::int64_t* values) {
  const int too_large = find_too_large(buffers, count, extents, values);
  if (too_large >= 0)
    fail("plan: with these extents a value would need %.3g bytes",
         extents.estimate(buffers[too_large].elements, values) * size_of_dtype(buffers[too_large].type));
  vector<lifetime> lifetimes(count);
  vector<int> owner(count), at(count), order(count);
  int owners = 0;
  for (int b = 0; b < count; ++b) {
    owner[b] = b;
    if (buffers[b].kind != storage::arena) continue;
    owner[b] = memory_of(buffers, b);
    if (owner[b] != b) continue;
    at[b] = owners;
    lifetimes[owners].bytes = buffers[b].bytes(extents.evaluate(buffers[b].elements, values));
    lifetimes[owners].first = buffers[b].first;
    lifetimes[owners].last = buffers[b].last;
    ++owners;
  }
  for (int b = 0; b < count; ++b) {
    if (buffers[b].kind != storage::arena || owner[b] == b) continue;
    lifetime& l = lifetimes[at[owner[b]]];
    if (buffers[b].last > l.last) l.last = buffers[b].last;
  }
  arena_layout layout;
  layout.offset.resize(count);
  layout.bytes = place_buffers(lifetimes.data(), order.data(), owners);
#ifdef ETCH_VERIFY
  if (find_misplaced(lifetimes.data(), owners, layout.bytes) >= 0) fail("plan: two live buffers overlap in the arena");
#endif
  for (int b = 0; b < count; ++b)
    if (buffers[b].kind == storage::arena) layout.offset[b] = lifetimes[at[owner[b]]].offset;
  return layout;
}

}  // namespace etch
