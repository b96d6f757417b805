// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>

/// Parts of graphs as graphs: what some results need.
namespace etch::detail {

/// Copies the nodes that some results need, operands first, as `Rules` say: `operands_of(n)` gives what node n needs,
/// `make(n, in)` the copy, whose operands are `in` there.
template <class Rules>
constexpr void copy_needed(const graph& g, const vector<int>& results, vector<int>& node_of, Rules& rules) {
  struct visit {
    int node = 0;
    bool is_ready = false;
  };
  vector<visit> stack;
  for (int i = results.size(); i-- > 0;) stack.push_back({results[i], false});
  vector<int> in;
  while (!stack.empty()) {
    const visit v = stack.back();
    stack.pop_back();
    if (node_of[v.node] >= 0) continue;
    const vector<int> operands = rules.operands_of(g, v.node);
    if (!v.is_ready) {
      stack.push_back({v.node, true});
      for (int k = 0; k < operands.size(); ++k) stack.push_back({operands[k], false});
      continue;
    }
    in.clear();
    for (int k = 0; k < operands.size(); ++k) in.push_back(node_of[operands[k]]);
    node_of[v.node] = rules.make(g, v.node, in);
  }
}

constexpr vector<int> operands_as_list(const graph& g, int n) {
  vector<int> r;
  for (int k = 0; k < g[n].count; ++k) r.push_back(g.operand(n, k));
  return r;
}

/// Numbers those groups from 1 on that have nodes yet.
constexpr void number_groups(graph& g) {
  vector<int> number(g.groups + 1, 0);
  g.groups = 0;
  for (int n = 0; n < g.size(); ++n) {
    int& group = g.nodes[n].group;
    if (group == 0) continue;
    if (number[group] == 0) number[group] = ++g.groups;
    group = number[group];
  }
}

/// What nodes with ports become: placeholders whose contents are their numbers, from 1 on. Types and words are the part's own, so that it
/// depends on nothing but what it computes; names are those of the nodes, unless it is to stand for others, too.
struct part_rules {
  graph& out;
  const vector<int>& port;  ///< per node: that number, or 0
  bool keeps_names;

  constexpr vector<int> operands_of(const graph& g, int n) const {
    vector<int> r;
    if (port[n] == 0) r = operands_as_list(g, n);
    return r;
  }
  constexpr int make(const graph& g, int n, const vector<int>& in) {
    const slot_info* const slot = keeps_names ? g[n].slot : nullptr;
    const int type = out.type_id(g.type(n));
    if (port[n] > 0) return out.push({&info_of<placeholder_op>, nullptr, 0, type, 0, 0, slot, static_cast<hash_t>(port[n])});
    if (g.is(n, op_role::placeholder) || g.is(n, op_role::variable)) throw "etch: a sub-graph reads a slot that it is not given";
    const words w = g.words_of(n);
    const hash_t content = keeps_names ? g[n].content : 0;
    return out.push({g[n].op, in.data(), in.size(), type, out.push_words(w), w.count, g[n].slot, content, g[n].group});
  }
};

/// The nodes that give `results`, which it fetches, from those that have ports. `node_of`: what nodes become, -1 of all before.
constexpr graph part_of(const graph& g, const vector<int>& results, const vector<int>& port, vector<int>& node_of,
                        bool keeps_names) {
  graph out;
  out.extents = g.extents;
  out.groups = g.groups;
  part_rules rules{out, port, keeps_names};
  copy_needed(g, results, node_of, rules);
  for (int i = 0; i < results.size(); ++i) out.fetches.push_back(node_of[results[i]]);
  return out;
}

}  // namespace etch::detail
