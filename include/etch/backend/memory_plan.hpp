// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/memory.hpp>
#include <etch/schedule/plan.hpp>

/// The arena of a plan: computed by the compiler where all extents are numbers, and at run time where some are named.
namespace etch {

/// Offsets in bytes per buffer (0 for those outside the arena), and the arena's size.
struct arena_layout {
  vector<std::int64_t> offset;
  std::int64_t bytes = 0;
};

/// `values` gives each named extent's count.
constexpr arena_layout lay_out(const buffer* buffers, int count, const extent_table& extents,
                               const std::int64_t* values) {
  vector<lifetime> lifetimes(count);
  vector<int> owner(count), at(count), order(count);
  int owners = 0;
  for (int b = 0; b < count; ++b) {
    owner[b] = b;
    if (buffers[b].kind != storage::arena) continue;
    while (buffers[owner[b]].shares >= 0) owner[b] = buffers[owner[b]].shares;
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
  for (int b = 0; b < count; ++b)
    if (buffers[b].kind == storage::arena) layout.offset[b] = lifetimes[at[owner[b]]].offset;
  return layout;
}

}  // namespace etch
