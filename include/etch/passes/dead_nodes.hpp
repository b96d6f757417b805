// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>

/// Nodes that nothing needs are not there. Of a call all results stay: what it runs stores them all. (A loop or branch becomes a call behind
/// what drops results of it that nobody needs.)
namespace etch {

constexpr graph dead_nodes(const graph& g) {
  vector<char> needed = g.find_results();
  char* const live = needed.data();
  for (int i = g.size(); i-- > 0;) {
    if (g.is(i, op_role::result) && g.is(g.operand(i, 0), op_role::call)) live[i] = 1;
    if (live[i] == 0) continue;
    const int* const operands = g.operands_of(i);
    for (int k = 0, count = g[i].count; k < count; ++k) live[operands[k]] = 1;
  }
  graph out;
  rebuild(g, out, [&](graph& to, int i, const int* in) { return live[i] != 0 ? to.push(to.copy_of(g, i, in)) : -1; });
  return out;
}

}  // namespace etch
