// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/vector.hpp>
#include <etch/passes/memory.hpp>

namespace etch {

/// The first, in order of lifetimes, of the placed buffers that has no place in an arena of so many bytes or overlaps another one
/// that is live at the same time; -1 where all is well. Each is compared with those that are live when it begins.
constexpr int find_misplaced(const lifetime* buffers, int count, std::int64_t bytes) {
  vector<int> order(count), merged(count), live;
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int width = 1; width < count; width *= 2) {  // merge sort by `first`
    for (int begin = 0; begin < count; begin += 2 * width) {
      const int middle = begin + width < count ? begin + width : count;
      const int end = begin + 2 * width < count ? begin + 2 * width : count;
      for (int a = begin, b = middle, to = begin; to < end; ++to) {
        const bool left = b == end || (a < middle && buffers[order[a]].first <= buffers[order[b]].first);
        merged[to] = left ? order[a++] : order[b++];
      }
    }
    for (int i = 0; i < count; ++i) order[i] = merged[i];
  }
  for (int i = 0; i < count; ++i) {
    const lifetime& b = buffers[order[i]];
    if (b.bytes < 0 || b.last < b.first || b.offset < 0 || b.offset > bytes - b.bytes) return order[i];
    if (b.bytes == 0) continue;
    int kept = 0;
    for (int k = 0; k < live.size(); ++k) {
      const lifetime& other = buffers[live[k]];
      if (other.last < b.first) continue;
      if (other.offset < b.offset + b.bytes && b.offset < other.offset + other.bytes) return order[i];
      live[kept++] = live[k];
    }
    live.resize(kept);
    live.push_back(order[i]);
  }
  return -1;
}

}  // namespace etch
