// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/memory.hpp>
#include <etch/schedule/plan.hpp>

/// The arena of a plan: computed by the compiler where all extents are numbers, and again at run time where some are named.
namespace etch {

/// Offsets in bytes per buffer (0 for those outside the arena), and the arena's size.
template <int Buffers>
struct arena_layout {
  std::int64_t offset[Buffers + 1]{};
  std::int64_t bytes = 0;
};

/// `values` gives each named extent's count. Does not allocate.
template <class FrozenPlan>
constexpr arena_layout<FrozenPlan::size.buffers> lay_out(const FrozenPlan& p, const std::int64_t* values) {
  constexpr int n = FrozenPlan::size.buffers;
  lifetime lifetimes[n + 1]{};
  int owner[n + 1]{}, at[n + 1]{}, scratch[n + 1]{};
  int count = 0;
  for (int b = 0; b < n; ++b) {
    owner[b] = b;
    at[b] = -1;
    if (p.buffers[b].kind != storage::arena) continue;
    while (p.buffers[owner[b]].shares >= 0) owner[b] = p.buffers[owner[b]].shares;
    if (owner[b] != b) continue;
    at[b] = count;
    lifetimes[count].bytes = p.buffers[b].bytes(p.extents.evaluate(p.buffers[b].elements, values));
    lifetimes[count].first = p.buffers[b].first;
    lifetimes[count].last = p.buffers[b].last;
    ++count;
  }
  for (int b = 0; b < n; ++b) {
    if (p.buffers[b].kind != storage::arena || owner[b] == b) continue;
    lifetime& l = lifetimes[at[owner[b]]];
    if (p.buffers[b].last > l.last) l.last = p.buffers[b].last;
  }
  arena_layout<n> layout;
  layout.bytes = place_buffers(lifetimes, scratch, count);
  for (int b = 0; b < n; ++b)
    if (p.buffers[b].kind == storage::arena) layout.offset[b] = lifetimes[at[owner[b]]].offset;
  return layout;
}

}  // namespace etch
