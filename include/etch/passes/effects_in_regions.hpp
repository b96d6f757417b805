// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Which regions may have effects.
namespace etch {

namespace detail {

constexpr vector<char> nodes_made_of_effects(const graph& g) {
  vector<char> made(g.size(), 0);
  for (int i = 0; i < g.size(); ++i) {
    made[i] = g[i].op->kind == op_kind::effect;
    for (int k = 0; k < g[i].count && made[i] == 0; ++k) made[i] = made[g.operand(i, k)];
  }
  return made;
}

}  // namespace detail

/// Whether a region's sub-graph may have an effect: else a graph with a loop that only reads and an assignment behind it would be copied.
constexpr bool has_effects_in_regions(const graph& g) {
  const vector<char> made_of_effect = detail::nodes_made_of_effects(g);
  for (int i = 0; i < g.size(); ++i) {
    if (g[i].op->kind != op_kind::region || g.is(i, op_role::result)) continue;
    for (int k = 0; k < g[i].count; ++k)
      if (made_of_effect[g.operand(i, k)] != 0) return true;
  }
  return false;
}

}  // namespace etch
