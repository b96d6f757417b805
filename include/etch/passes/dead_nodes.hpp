// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>

/// Nodes that nothing needs are not there.
namespace etch {

/// What is needed: while assignments are operands of what runs them, the fetches alone say it.
enum class live_roots { fetches, fetches_and_assignments };

constexpr graph dead_nodes(const graph& g, live_roots roots = live_roots::fetches) {
  vector<char> needed = vector<char>::defaults(g.size());
  char* const live = needed.data();
  for (int i = 0; i < g.fetches.size(); ++i) live[g.fetches[i]] = 1;
  for (int i = g.size(); i-- > 0;) {
    if (roots == live_roots::fetches_and_assignments && g.is(i, op_role::assign)) live[i] = 1;
    if (live[i] == 0) continue;
    const int* const operands = g.operands_of(i);
    for (int k = 0, count = g[i].count; k < count; ++k) live[operands[k]] = 1;
  }
  graph out;
  rebuild(g, out, [&](graph& to, int i, const int* in) { return live[i] != 0 ? to.push(to.copy_of(g, i, in)) : -1; });
  return out;
}

}  // namespace etch
