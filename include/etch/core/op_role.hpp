// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// What passes and backends know of single ops.
namespace etch {

/// What the compiler itself knows an op as. All that a pass or a backend must know of any other op, the op says.
enum class op_role : std::uint8_t {
  other,
  placeholder,
  variable,
  constant,     ///< one attribute: the bits of a number
  index,        ///< one attribute: the axis along which elements count from 0
  extent,       ///< a number of elements; without an operand, of the extent that is its attribute
  cast,         ///< one attribute: the dtype
  copy,         ///< x, in memory of its own
  barrier,      ///< x, but no gradient passes
  broadcast,    ///< x repeated along axes of extent 1 and new axes in front
  gradient,     ///< operands y, x
  product,      ///< the contraction that is a matrix product: sums along the operands' inner axes
  contraction,  ///< one along axes that letters say
  convolution,  ///< a contraction with windows
  pool,         ///< one number of each window, or the adjoint
  assign,       ///< operands: a variable (or what is assigned to it before), the value
  group,        ///< no value: its operands run
  after,        ///< the first operand, after the others have run
  beside,       ///< the first operand, as it is before the others have run
  parameter,    ///< stands in a sub-graph for what each run of it is given; attributes: the region's level, a number
  local,        ///< its operand, as a value of the sub-graph that reads it
  loop,         ///< runs a sub-graph once per step
  branch,       ///< runs one of several sub-graphs
  recompute,    ///< runs a sub-graph once; in gradients it is computed again
  outline,      ///< a call of a function; operands: arguments, values
  stack,        ///< operands: a loop, a node of its body; that node's values in all steps
  result,       ///< of a region: the value of that number
  alike,        ///< the first operand, with extents of the second; graphs have the first alone
  call          ///< a region whose sub-graphs have become graphs of their own
};

/// Whether it is a region for whose operands parameters stand in its sub-graph.
constexpr bool has_parameters(op_role role) { return role == op_role::loop || role == op_role::recompute; }
/// Whether it is a region whose sub-graphs stand in the table.
constexpr bool has_sub_graphs(op_role role) { return role == op_role::branch || has_parameters(role); }

}  // namespace etch
