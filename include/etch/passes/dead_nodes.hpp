// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>

/// Nodes that nothing needs are not there.
namespace etch {

/// What is needed: while assignments are operands of what runs them, the fetches alone say it.
enum class live_roots { fetches, fetches_and_assignments };

constexpr graph dead_nodes(const graph& g, live_roots roots = live_roots::fetches) {
  vector<char> live(g.size(), 0);
  for (int i = 0; i < g.fetches.size(); ++i) live[g.fetches[i]] = 1;
  for (int i = g.size(); i-- > 0;) {
    if (roots == live_roots::fetches_and_assignments && g.is(i, op_role::assign)) live[i] = 1;
    if (live[i] != 0)
      for (int k = 0, first = g[i].first_operand; k < g[i].count; ++k) live[g.operands[first + k]] = 1;
  }
  graph out;
  rebuild(g, out, [&](graph& to, int i, const int* in) { return live[i] != 0 ? to.push(to.copy_of(g, i, in)) : -1; });
  return out;
}

}  // namespace etch
