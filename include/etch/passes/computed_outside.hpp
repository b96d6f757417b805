// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/levels.hpp>

/// What is computed outside of a region whatever the region does, so that its sub-graphs are given it where they read it.
namespace etch::detail {

class computed_outside {
 public:
  constexpr explicit computed_outside(const graph& g) : g_(g), outside_(g.size()) {
    vector<int> roots = g.fetches;
    for (int i = 0; i < g.assignments.size(); ++i) {
      roots.push_back(g.assignments[i].variable);
      roots.push_back(g.assignments[i].value);
    }
    vector<char> nowhere(g.size(), 0);
    add_regions_in(nowhere, roots);
    // Regions come behind those in them.
    for (int n = g.size(); n-- > 0;) {
      if (!has_sub_graphs(g[n].op->role) || outside_[n].empty()) continue;
      const int values = first_value(g, n), count = g[n].count;
      const int parts = g.is(n, op_role::branch) ? static_cast<int>(g.word(n, 0)) : 1;
      const int body_ends = g.is(n, op_role::loop) ? values + static_cast<int>(g.word(n, 1)) : count;
      for (int part = 0; part < parts; ++part) {
        const int size = (body_ends - values) / parts;
        roots.clear();
        for (int k = 0; k < size; ++k) roots.push_back(g.operand(n, values + part * size + k));
        for (int i = n + 1; i < g.size() && g.is(n, op_role::loop); ++i)
          if (g.is(i, op_role::stack) && g.operand(i, 0) == n) roots.push_back(g.operand(i, 1));
        add_regions_in(outside_[n], roots);
      }
      roots.clear();
      for (int k = body_ends; k < count; ++k) roots.push_back(g.operand(n, k));
      if (!roots.empty()) add_regions_in(outside_[n], roots);
    }
  }
  /// Per node of the graph.
  constexpr const vector<char>& of(int region) const { return outside_[region]; }

 private:
  /// The regions of a sub-graph with these roots, in a region outside of which `before` is computed. One that stands in several sub-graphs
  /// is given what all of them compute.
  constexpr void add_regions_in(const vector<char>& before, vector<int> stack) {
    vector<char> computed = before;
    while (!stack.empty()) {
      const int n = stack.back();
      stack.pop_back();
      if (computed[n] != 0) continue;
      computed[n] = 1;
      const bool is_region = has_sub_graphs(g_[n].op->role);
      const int count = is_region ? given_operands(g_, n) : g_.is(n, op_role::stack) ? 1 : g_[n].count;
      for (int k = 0; k < count; ++k) stack.push_back(g_.operand(n, k));
    }
    for (int n = 0; n < g_.size(); ++n) {
      if (computed[n] == before[n] || !has_sub_graphs(g_[n].op->role)) continue;
      if (outside_[n].empty())
        outside_[n] = computed;
      else
        for (int i = 0; i < g_.size(); ++i) outside_[n][i] &= computed[i];
    }
  }

  const graph& g_;
  vector<vector<char>> outside_;  ///< per region
};

}  // namespace etch::detail
