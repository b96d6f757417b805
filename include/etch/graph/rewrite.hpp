// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>

namespace etch {

/// Rebuilds `g`, node by node: `node(out, i, in)` gives the node of `out` that stands for node i, whose operands are `in` there;
/// -1 leaves it out.
template <class Node>
constexpr void rebuild(const graph& g, graph& out, const Node& node) {
  out.adopt(g);
  const int size = g.size();
  vector<int> node_of = vector<int>::defaults(size), operands = vector<int>::defaults(g.most_operands());
  int* const map = node_of.data();
  int* const in = operands.data();
  for (int i = 0; i < size; ++i) {
    const int* const before = g.operands_of(i);
    for (int k = 0, count = g[i].count; k < count; ++k) in[k] = map[before[k]];
    out.group = g[i].group;
    out.body = g[i].body;
    map[i] = node(out, i, in);
  }
  out.group = out.body = 0;
  out.take_results(g, map);
}

/// Rebuilds `g`; each node is what `rule` gives for it, or itself where that is -1. Nodes that the rule makes go through it, too.
constexpr graph rewrite(const graph& g, int (*rule)(graph&, const candidate&)) {
  graph out;
  out.rule = rule;
  out.shared.reserve(g.size());
  rebuild(g, out, [&](graph& to, int i, const int* in) { return detail::append(to, to.copy_of(g, i, in)); });
  out.rule = nullptr;
  return out;
}

}  // namespace etch
