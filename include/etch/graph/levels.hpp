// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Of which regions a node is: those in one another whose sub-graphs have parameters have levels, as bits of a mask.
namespace etch::detail {

/// How many operands of region n come before its parameters or sub-graphs: of a loop first values and sequences, of a branch what chooses,
/// of what is computed again the arguments.
constexpr int given_operands(const graph& g, int n) {
  switch (g[n].op->role) {
    case op_role::loop: return static_cast<int>(g.word(n, 1) + g.word(n, 2));
    case op_role::recompute: return static_cast<int>(g.word(n, 1));
    default: return 1;
  }
}
/// The first operand of region n that belongs to its sub-graphs.
constexpr int first_value(const graph& g, int n) { return (has_parameters(g[n].op->role) ? 2 : 1) * given_operands(g, n); }
/// How many operands of node n are computed where the node is, whatever its sub-graphs do. Of a loop that is also what its steps make
/// of nothing that changes.
constexpr int computed_operands(const graph& g, int n) {
  return g.is(n, op_role::branch) || g.is(n, op_role::recompute) ? given_operands(g, n) : g[n].count;
}

/// The region whose parameters node n does not depend on, although its operands do: itself, or the loop that it is a stack of; else -1.
constexpr int region_closed_by(const graph& g, int n) {
  const op_role role = g[n].op->role;
  return has_parameters(role) ? n : role == op_role::stack ? g.operand(n, 0) : -1;
}

/// The levels of the parameters that node n depends on, a bit for each, where those of all nodes before it are known: none of what
/// stands outside of all such regions.
constexpr std::uint64_t free_levels(const graph& g, int n, const vector<std::uint64_t>& before) {
  const node& d = g[n];
  if (d.op->role == op_role::parameter) return std::uint64_t{1} << g.word(n, 0);
  std::uint64_t all = d.op->role == op_role::local ? static_cast<std::uint64_t>(g.word(n, 0)) : 0;
  for (int k = 0; k < d.count; ++k) all |= before[g.operand(n, k)];
  const int region = all != 0 ? region_closed_by(g, n) : -1;
  return region < 0 ? all : all & ~(std::uint64_t{1} << g.word(region, 0));
}

}  // namespace etch::detail
