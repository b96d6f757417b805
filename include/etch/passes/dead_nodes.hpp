// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Nodes that no fetch needs are not there.
namespace etch {

constexpr graph dead_nodes(const graph& g) {
  vector<char> live(g.size(), 0);
  for (int i = 0; i < g.fetches.size(); ++i) live[g.fetches[i]] = 1;
  for (int i = g.size(); i-- > 0;)
    if (live[i] != 0)
      for (int k = 0; k < g[i].count; ++k) live[g.operand(i, k)] = 1;
  graph out;
  out.extents = g.extents;
  vector<int> map(g.size(), -1);
  vector<int> in;
  for (int i = 0; i < g.size(); ++i) {
    if (live[i] == 0) continue;
    const node& n = g[i];
    in.clear();
    for (int k = 0; k < n.count; ++k) in.push_back(map[g.operand(i, k)]);
    map[i] = out.push(*n.op, g.words_of(i), n.type, in.data(), n.count, n.slot, n.content);
  }
  for (int i = 0; i < g.fetches.size(); ++i) out.fetches.push_back(map[g.fetches[i]]);
  return out;
}

}  // namespace etch
