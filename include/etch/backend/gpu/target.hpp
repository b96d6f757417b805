// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/target.hpp>

namespace etch::gpu {

/// What plans for the GPU are made by. A thread computes one element, so widths mix freely and rows are never too short; the limits of
/// a kernel are the CPU's, not measured here.
struct target {
  static constexpr target_description description = {
      .limits = {.nodes = 40, .reads = 20, .slots = 32, .instructions = 160, .map_nodes = 192, .map_slots = 64, .few = 4},
      .has_lanes = false,
      .short_row = 0,
      .kept_cost = 8,
      .products = {},
      .operands = {},
      .narrow = {},
  };
};

}  // namespace etch::gpu
