// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>

/// The loop that rewriting passes share: the graph is built anew, node by node, and rules may replace each.
namespace etch {

/// A node that is about to be appended: its operands are nodes of the new graph.
struct candidate {
  const op_info* op;
  words attributes;
  tensor_type type;
  const int* operands;
  int count;
  const slot_info* slot;
  hash_t content;
};

namespace detail {
template <class Rule>
constexpr bool apply_rule(Rule& rule, graph& out, const candidate& c, int& replacement) {
  replacement = rule(out, c);
  return replacement >= 0;
}
}  // namespace detail

/// Rebuilds `g`. Each rule is called as `int rule(graph& out, const candidate&)` and gives the node of `out` to use in
/// the candidate's place, or -1; the first that gives one wins. With no replacement the candidate is appended as it is.
template <class... Rules>
constexpr graph rewrite(const graph& g, Rules... rules) {
  graph out;
  out.extents = g.extents;
  out.nodes.reserve(g.size());
  out.operands.reserve(g.operands.size());
  out.pool.reserve(g.pool.size());
  vector<int> map(g.size(), -1);
  vector<int> in;
  for (int i = 0; i < g.size(); ++i) {
    const node& n = g[i];
    in.clear();
    for (int k = 0; k < n.count; ++k) in.push_back(map[g.operand(i, k)]);
    const candidate c{n.op, g.words_of(i), n.type, in.data(), n.count, n.slot, n.content};
    int replacement = -1;
    (void)(detail::apply_rule(rules, out, c, replacement) || ...);
    map[i] = replacement >= 0 ? replacement
                              : out.push(*c.op, c.attributes, c.type, c.operands, c.count, c.slot, c.content);
  }
  for (int i = 0; i < g.fetches.size(); ++i) out.fetches.push_back(map[g.fetches[i]]);
  return out;
}

}  // namespace etch
