// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/target.hpp>
#include <etch/schedule/plan.hpp>

namespace etch::gpu {

/// Its kernels are compiled for any extents and strides.
constexpr kernel_key key_of(const step_view& v) { return key_of_step(v.step); }

/// What plans for the GPU are made by. A thread computes one element, so widths mix freely and rows are never too short; the limits of
/// a kernel are the CPU's, not measured here.
struct target {
  static constexpr target_description description = {
      .limits = {.nodes = 40, .reads = 20, .slots = 32, .instructions = 160, .map_nodes = 192, .map_slots = 64, .few = 4},
      .has_lanes = false,
      .short_row = 0,
      .short_row_to_indices = 0,
      .kept_cost = 8,
      .operands = {},
      .narrow = {},
      .key_of = &key_of,
  };
};

}  // namespace etch::gpu
