// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// What passes and the schedule ask about the machine that runs a plan. Each backend says it (`backend/*/target.hpp`); here are no numbers.
namespace etch {

struct kernel_key;
struct step_view;

/// What one kernel may hold.
struct cluster_limits {
  int nodes;  ///< of all kernels but large elementwise ones
  /// From so many operands on, nothing joins; the node that reaches it may bring three.
  int reads;
  int slots;         ///< operands and results in memory
  int instructions;  ///< nodes times sweeps: each sweep computes again what it needs of the nodes before it
  /// Of an elementwise kernel of which more than `few` values may be needed outside: to cut it there would store and load them. It
  /// stores each result as soon as it is there.
  int map_nodes, map_slots, few;
};

/// Operands of products that are computed where they are packed, and have no memory of their own.
struct packed_operands {
  int elements;  ///< they have so many at least; 0: never
  int cost;      ///< flops of an element, at most: where a product has many columns or rows, it is packed more than once
};

/// Products whose operands are narrower than their sums, which a backend reads as they are and casts itself.
struct narrow_products {
  bool bytes;          ///< int8 and uint8, with sums in int32
  std::int64_t pairs;  ///< bfloat16, with sums in float32, where the second operand has so many elements; 0: never
};

struct target_description {
  cluster_limits limits;
  /// Whether a kernel computes in vectors of one width: then what mixes elements of 4 and of 8 bytes shares one only where it is cheap.
  bool has_lanes;
  /// Rows of up to so many elements are swept many at a time, where there are as many rows at least. 0: never.
  int short_row;
  /// Of rows that are reduced to indices, of elements of 4 bytes.
  int short_row_to_indices;
  /// Flops from which on a value is kept between the sweeps of a kernel, not computed again.
  int kept_cost;
  packed_operands operands;
  narrow_products narrow;
  /// All that the backend compiles the kernel of a step from, beside its program and types: steps with equal keys share a kernel.
  kernel_key (*key_of)(const step_view&);
};

}  // namespace etch
