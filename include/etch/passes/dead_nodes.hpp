// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>

/// Nodes that nothing needs are not there. Of a call all results stay: what it runs stores them all. (A loop or branch becomes a call behind
/// what drops results of it that nobody needs.)
namespace etch {

constexpr graph dead_nodes(graph g) {
  vector<char> needed = g.find_results();
  char* const live = needed.data();
  int dead = 0;
  for (int i = g.size(); i-- > 0;) {
    const node& d = g[i];
    if (d.op->role == op_role::result && g.is(g.operand(i, 0), op_role::call)) live[i] = 1;
    if (live[i] == 0) {
      ++dead;
      continue;
    }
    const int* const operands = g.operands_of(i);
    for (int k = 0, count = d.count; k < count; ++k) live[operands[k]] = 1;
  }
  if (dead > 0) g.keep_nodes(live);
  return g;
}

}  // namespace etch
