// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/regions.hpp>

/// Takes the sub-graphs of regions out of a graph: what is left calls them, and each of them is a graph of its own.
namespace etch {

namespace detail {

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

/// What is left.
struct outer_rules {
  const region_map& regions;
  graph& out;
  int functions;  ///< calls that there are already

  constexpr vector<int> operands_of(const graph& g, int n) const {
    if (regions.is_region(n)) return regions.operands(n);
    vector<int> all = operands_as_list(g, n);
    if (g.is(n, op_role::stack)) all.pop_back();
    return all;
  }
  constexpr int make(const graph& g, int n, const vector<int>& in) {
    if (g.is(n, op_role::result) || g.is(n, op_role::stack))
      return out.push(info_of<region_result>, words(regions.result_number(n)), g.type(n), in.data(), 1);
    if (!regions.is_region(n)) return out.push(out.copy_of(g, n, in.data()));
    int number = 0;
    while (regions.calls()[number] != n) ++number;
    number += functions;
    const bool loop = g.is(n, op_role::loop);
    words w(static_cast<int>(kind_of(g, n)), number);
    if (g.is(n, op_role::recompute)) {
      w.push_back(number);
      w.push_back(0);
      w.push_back(0);
    } else if (loop) {
      w.push_back(regions.states(n));
      w.push_back(regions.sequences(n));
      w.push_back(g.word(n, 3) & 1);
    } else {
      w.push_back(0);
      w.push_back(static_cast<int>(g.type(g.operand(n, 0)).type));
      w.push_back(0);
    }
    w.push_back(regions.parts(n));
    return out.push(info_of<region_call>, w, tensor_type{}, in.data(), in.size());
  }
  constexpr call_kind kind_of(const graph& g, int n) const {
    if (g.is(n, op_role::recompute)) return call_kind::function;
    if (g.is(n, op_role::branch)) return call_kind::branch;
    return regions.has_condition(n) ? call_kind::loop_with_condition : call_kind::loop;
  }
};

/// A graph of its own, of some nodes. What it is given are placeholders whose contents are their numbers, from 1 on. Types and words are
/// its own, so that it depends on nothing but what it computes; names are those of the nodes, unless it is to stand for others, too.
struct part_rules {
  graph& out;
  vector<int>& port;  ///< per node: that number, or 0
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

/// The nodes that give `results`, which it fetches, from those that have ports.
constexpr graph part_of(const graph& g, const vector<int>& results, vector<int>& port, bool keeps_names) {
  graph out;
  out.extents = g.extents;
  out.groups = g.groups;
  part_rules rules{out, port, keeps_names};
  vector<int> node_of(g.size(), -1);
  copy_needed(g, results, node_of, rules);
  for (int i = 0; i < results.size(); ++i) out.fetches.push_back(node_of[results[i]]);
  number_groups(out);
  return out;
}

}  // namespace detail

constexpr bool has_regions(const graph& g) {
  for (int n = 0; n < g.size(); ++n)
    if (g[n].op->kind == op_kind::region) return true;
  return false;
}

/// The graph in which each region is one call.
constexpr graph without_regions(const graph& g) {
  const detail::region_map regions(g);
  graph out;
  out.adopt(g);
  int functions = 0;
  for (int n = 0; n < g.size(); ++n) functions += g.is(n, op_role::call) ? 1 : 0;
  detail::outer_rules rules{regions, out, functions};
  vector<int> results, node_of(g.size(), -1);
  for (int i = 0; i < g.fetches.size(); ++i) results.push_back(g.fetches[i]);
  for (int i = 0; i < g.assignments.size(); ++i) {
    results.push_back(g.assignments[i].variable);
    results.push_back(g.assignments[i].value);
  }
  detail::copy_needed(g, results, node_of, rules);
  out.take_results(g, node_of.data());
  return out;
}

/// Where the sub-graphs of all regions lie in a graph. Of call c, from number [c] on: how many nodes it is given, the parameter or node for
/// each (-1: none), then for each part how many results it has, and which.
constexpr vector<int> region_cuts(const graph& g) {
  const detail::region_map regions(g);
  vector<int> cuts(regions.calls().size(), 0);
  for (int c = 0; c < regions.calls().size(); ++c) {
    cuts[c] = cuts.size();
    const int region = regions.calls()[c], given = regions.given(region);
    const vector<int> operands = regions.operands(region);
    cuts.push_back(operands.size());
    for (int k = 0; k < operands.size(); ++k)
      cuts.push_back(k >= given ? operands[k] : regions.has_parameters(region) ? g.operand(region, given + k) : -1);
    for (int part = 0; part < regions.parts(region); ++part) {
      const vector<int> results = regions.results(region, part);
      cuts.push_back(results.size());
      for (int k = 0; k < results.size(); ++k) cuts.push_back(results[k]);
    }
  }
  return cuts;
}

/// Sub-graph `part` of call `number`. It fetches what the sub-graph gives. cuts: of the graph.
constexpr graph region_part(const graph& g, const int* cuts, int number, int part) {
  const int* at = cuts + cuts[number];
  vector<int> port(g.size(), 0), results;
  const int given = *at++;
  for (int k = 0; k < given; ++k)
    if (at[k] >= 0) port[at[k]] = k + 1;
  at += given;
  for (; part > 0; --part) at += 1 + *at;
  for (int k = 0; k < *at; ++k) results.push_back(at[1 + k]);
  return detail::part_of(g, results, port, true);
}

}  // namespace etch
