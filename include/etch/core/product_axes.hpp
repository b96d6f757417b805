// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/index_map.hpp>

namespace etch {

/// How a contraction computes. Each element of its result is a sum, along inner axes, of products of one element of each of its two
/// operands; an inner axis is one that the result has not. The result may be without an axis of columns.
struct product_axes {
  enum class group : std::uint8_t {
    stack,   ///< both operands have it
    rows,    ///< the first operand has it
    columns  ///< the second operand has it
  };
  group of[max_rank]{};  ///< per axis of the result
  int inner = 0;
  extent_value inner_extents[max_rank]{};
  /// Where each operand has its element: "result axes" are those of the result and, behind them, the inner ones.
  index_map operand[2];
  /// Axes of the first operand, by bit, along which places may lie outside. There it is 0.
  unsigned outside = 0;

  constexpr void add_inner(extent_value extent) { inner_extents[inner++] = extent; }
};

}  // namespace etch
