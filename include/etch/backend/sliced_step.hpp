// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/nest.hpp>

namespace etch {

/// Where a loop nest is cut: an axis, and how many of its elements a slice has.
struct slicing {
  int axis = -1;  ///< -1: nowhere
  std::int64_t length = 0, slices = 1;
};

/// A step that is run in slices. Its place among a plan's calls refers to it.
struct sliced_step {
  kernel_function function = nullptr;
  frame whole{};
  std::int64_t frame_bytes = 0;
  int rank = 0, slots = 0;
  const access* views_of = nullptr;  ///< its accesses, where the frame has views instead of a nest
  slicing cut;
};

/// Makes a step that `function` runs `with` a frame one that is run in slices on these threads: they stand for `to` then. Or leaves it.
using cut_function = void (*)(const step_tables&, const plan_step&, const executor& threads, sliced_step& to,
                              kernel_function& function, frame& with);

/// Who runs slices. Null: the thread that runs does all.
struct step_sharing {
  executor* threads = nullptr;
  cut_function cut = nullptr;

  /// Of a backend; nobody where there is one worker only, since the thread that runs is another. Programs that give no session an executor
  /// compile nothing of this.
  template <class Backend>
  static step_sharing on(executor* threads) {
    if (threads == nullptr || threads->workers() == 1) return {};
    return {threads, Backend::cut};
  }
};

}  // namespace etch
