// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/nest_regions.hpp>

/// The order of nodes in which gradients can be swept through loops.
namespace etch {

namespace detail {

/// A loop after all that its stacks hold.
struct loop_order_rules {
  graph& out;
  vector<vector<int>>& stacked;  ///< per loop

  constexpr vector<int> operands_of(const graph& g, int n) const {
    vector<int> all = operands_as_list(g, n);
    for (int k = 0; k < stacked[n].size(); ++k) all.push_back(stacked[n][k]);
    return all;
  }
  constexpr int make(const graph& g, int n, const vector<int>& in) { return out.push(out.copy_of(g, n, in.data())); }
};

}  // namespace detail

/// Puts each loop behind every node that its stacks hold: backwards, a loop is then met when all adjoints of its values are there, and
/// before what its body reads. `node_of`: what the nodes become; unchanged where there are no loops.
constexpr void put_loops_in_order(graph& g, vector<int>& node_of) {
  if (!has_regions(g)) return;
  vector<vector<int>> stacked(g.size());
  for (int n = 0; n < g.size(); ++n)
    if (g.is(n, op_role::stack)) stacked[g.operand(n, 0)].push_back(g.operand(n, 1));
  graph out;
  out.adopt(g);
  detail::loop_order_rules rules{out, stacked};
  vector<int> all, to(g.size(), -1);
  for (int n = 0; n < g.size(); ++n) all.push_back(n);
  detail::copy_needed(g, all, to, rules);
  out.take_results(g, to.data());
  for (int i = 0; i < node_of.size(); ++i)
    if (node_of[i] >= 0) node_of[i] = to[node_of[i]];
  g = static_cast<graph&&>(out);
}

}  // namespace etch
