// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Of which loops a node is: loops in one another have levels, as bits of a mask.
namespace etch::detail {

/// The levels of the parameters that node n depends on, a bit for each, where those of all nodes before it are known: none of what
/// stands outside of all loops.
constexpr std::uint64_t free_levels(const graph& g, int n, const vector<std::uint64_t>& before) {
  const node& d = g[n];
  if (d.op->role == op_role::parameter) return std::uint64_t{1} << g.word(n, 0);
  std::uint64_t all = 0;
  for (int k = 0; k < d.count; ++k) all |= before[g.operand(n, k)];
  const int loop = d.op->role == op_role::loop ? n : d.op->role == op_role::stack ? g.operand(n, 0) : -1;
  return loop < 0 ? all : all & ~(std::uint64_t{1} << g.word(loop, 0));
}

}  // namespace etch::detail
