// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/memory.hpp>

namespace etch {

/// The most bytes that are live at one step: no arena can be smaller.
inline std::int64_t largest_live_set(const lifetime* buffers, int count) {
  std::int64_t most = 0;
  for (int i = 0; i < count; ++i) {
    std::int64_t live = 0;
    for (int j = 0; j < count; ++j)
      if (buffers[j].first <= buffers[i].first && buffers[i].first <= buffers[j].last) live += buffers[j].bytes;
    if (live > most) most = live;
  }
  return most;
}

}  // namespace etch
