// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/core/attributes.hpp>

/// What gradient rules are given, and what they say of themselves.
namespace etch {

/// Arguments of a gradient rule: y = op(x[0], x[1], ...); writes to dx what dy contributes to each operand.
template <class V>
struct gradient_rule {
  const words& attributes;
  const V* x;
  int count;
  V y;
  V dy;
  V* dx;
};

/// What an op's gradient rule multiplies the adjoint with.
enum class slope_kind : std::uint8_t {
  of_operands,  ///< what follows from operands, which may be infinite or NaN
  fixed,        ///< nothing but 1 or -1, or a share of 1: it moves, adds up or chooses elements
  chosen        ///< the same, and the first operand says which of the other two is taken, as `where` has it
};

}  // namespace etch
