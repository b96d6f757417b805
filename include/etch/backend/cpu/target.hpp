// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/kernel_cases.hpp>
#include <etch/passes/target.hpp>

namespace etch::cpu {

/// Whether one instruction adds a register's products of pairs of bfloat16 to sums of float.
#if defined(__AVX512BF16__) && defined(__AVX512VL__)
inline constexpr bool has_pair_dot = true;
#else
inline constexpr bool has_pair_dot = false;
#endif

/// What plans for the CPU are made by. Measured on Zen 4 (AVX-512) unless said otherwise.
struct target {
  static constexpr target_description description = {
      .limits =
          {
              .nodes = 40,  // larger kernels run out of registers, and spills cost more than a second pass through the cache
              .reads = 20,
              .slots = 32,
              .instructions = 160,
              // Price and Greeks (190 nodes, 11 results of 5 operands) in one kernel instead of 11 take about half of the time for
              // 100,000 options, and for 1,000, which stay in L2, 0.8 with clang and 1.0 to 1.1 with g++.
              .map_nodes = 192,
              .map_slots = 64,
              .few = 4,
          },
      .has_lanes = true,
      .short_row = 16,
      .short_row_to_indices = 24,  // longer ones, and doubles, would take longer than along them
      .kept_cost = 8,              // reading it back is cheaper than exp: 1.3 times as fast a softmax
      .operands = {.elements = 4096, .cost = 16},
      .narrow = {.bytes = true, .pairs = has_pair_dot ? 4096 : 0},
      .key_of = &key_of,
  };
};

}  // namespace etch::cpu
