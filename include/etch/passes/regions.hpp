// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/graph/levels.hpp>
#include <etch/ops/regions.hpp>

/// Which nodes belong to the sub-graphs of regions, and which are computed outside of them.
namespace etch::detail {

/// Numbers for new parameters, other than all that are there.
class parameter_numbers {
 public:
  constexpr explicit parameter_numbers(const graph& g) {
    for (int n = 0; n < g.size(); ++n)
      if (g.is(n, op_role::parameter) && g.word(n, 1) >= next_) next_ = static_cast<int>(g.word(n, 1)) + 1;
  }
  constexpr int next() { return next_++; }

 private:
  int next_ = 0;
};

constexpr int append_parameter(graph& g, int level, parameter_numbers& numbers, const tensor_type& type) {
  return g.push(info_of<region_parameter>, words(level, numbers.next()), type, nullptr, 0);
}

/// The type of what a loop gives in all steps. A value of most axes has none: what stacks it is refused.
constexpr tensor_type stacked_type(const graph& g, int loop, const tensor_type& of_step) {
  tensor_type t = of_step;
  if (of_step.rank == max_rank) return t;
  t.rank = of_step.rank + 1;
  for (int i = 0; i < of_step.rank; ++i) t.extents[i + 1] = of_step.extents[i];
  t.extents[0] = g.type(g.operand(loop, static_cast<int>(g.word(loop, 1)))).extents[0];
  return t;
}

constexpr int append_stack(graph& g, int loop, int node) {
  const int in[] = {loop, node};
  return g.push(info_of<region_stack>, words(), stacked_type(g, loop, g.type(node)), in, 2);
}

class region_map {
 public:
  constexpr explicit region_map(const graph& g) : g_(g), free_(g.size(), 0), needed_(g.size(), 0), inside_(g.size(), 0) {
    for (int n = 0; n < g.size(); ++n) free_[n] = free_levels(g, n, free_);
    for (int i = 0; i < g.fetches.size(); ++i) visit(g.fetches[i]);
    for (int i = 0; i < g.assignments.size(); ++i) {
      visit(g.assignments[i].variable);
      visit(g.assignments[i].value);
    }
    // What a region that runs in any case gives is there, also where only a branch reads it.
    vector<char> seen(g.size(), 0);
    for (bool again = true; again;) {
      again = false;
      for (int n = 0; n < g.size(); ++n) {
        if (!(g.is(n, op_role::result) || g.is(n, op_role::stack)) || free_[n] != 0 || needed_[n] != 0) continue;
        if (needed_[g.operand(n, 0)] == 0) continue;
        visit(n);
        again = true;
      }
      for (int n = 0; n < g.size(); ++n)
        if (g.is(n, op_role::branch) && needed_[n] != 0 && seen[n] == 0) {
          seen[n] = 1;
          if (visit_what_all_parts_need(n)) again = true;
        }
    }
    for (int n = 0; n < g.size(); ++n)
      if (needed_[n] != 0 && is_region(n)) calls_.push_back(n);
  }

  /// Whether the graph needs node n whatever branches are taken, outside of all loops and of all that is computed again.
  constexpr bool needed(int n) const { return needed_[n] != 0; }
  /// Regions outside of all others, in order.
  constexpr const vector<int>& calls() const { return calls_; }

  constexpr bool is_region(int n) const {
    const op_info& op = *g_[n].op;
    return op.kind == op_kind::region && has_sub_graphs(op.role);
  }
  constexpr bool has_parameters(int region) const { return etch::has_parameters(g_[region].op->role); }
  constexpr int states(int loop) const { return static_cast<int>(g_.word(loop, 1)); }
  constexpr int sequences(int loop) const { return static_cast<int>(g_.word(loop, 2)); }
  constexpr int given(int region) const { return given_operands(g_, region); }
  constexpr bool has_condition(int loop) const { return g_[loop].count > 2 * given(loop) + states(loop); }
  /// The sub-graphs of a region: of a loop the body, and the condition where it has one.
  constexpr int parts(int region) const {
    if (g_.is(region, op_role::branch)) return static_cast<int>(g_.word(region, 0));
    return g_.is(region, op_role::loop) && has_condition(region) ? 2 : 1;
  }
  /// What a sub-graph gives: of a body the next states, then what is stacked; not the states, which are where the step before put them. Of
  /// what is computed again the values that are needed.
  constexpr vector<int> results(int region, int part) const {
    vector<int> r;
    if (g_.is(region, op_role::branch)) {
      const int values = static_cast<int>(g_.word(region, 1));
      for (int k = 0; k < values; ++k) r.push_back(g_.operand(region, 1 + part * values + k));
    } else if (g_.is(region, op_role::recompute)) {
      const vector<char> wanted = wanted_values(region);
      for (int k = 0; k < wanted.size(); ++k)
        if (wanted[k] != 0) r.push_back(g_.operand(region, 2 * given(region) + k));
    } else if (part == 1) {
      r.push_back(g_.operand(region, g_[region].count - 1));
    } else {
      for (int k = 0; k < states(region); ++k) r.push_back(g_.operand(region, 2 * given(region) + k));
      for (int n = 0; n < g_.size(); ++n)
        if (is_stack_of(n, region) && stacked_state(n) < 0) r.push_back(g_.operand(n, 1));
    }
    return r;
  }
  /// Per value of what is computed again: whether it is needed.
  constexpr vector<char> wanted_values(int region) const {
    vector<char> wanted(g_[region].count - 2 * given(region), 0);
    for (int n = region; n < g_.size(); ++n)
      if (needed(n) && g_.is(n, op_role::result) && g_.operand(n, 0) == region) wanted[static_cast<int>(g_.word(n, 0))] = 1;
    return wanted;
  }
  constexpr bool is_stack_of(int n, int loop) const { return needed(n) && g_.is(n, op_role::stack) && g_.operand(n, 0) == loop; }
  /// The state before each step that a stack holds, -1 where it holds something else.
  constexpr int stacked_state(int n) const {
    const int loop = g_.operand(n, 0);
    for (int k = 0; k < states(loop); ++k)
      if (g_.operand(loop, given(loop) + k) == g_.operand(n, 1)) return k;
    return -1;
  }
  /// The number of that result of its region which a node is: of what the sub-graph gives; -1 - k for the stack of state k.
  constexpr int result_number(int n) const {
    if (g_.is(n, op_role::result) && g_.is(g_.operand(n, 0), op_role::recompute)) {
      const vector<char> wanted = wanted_values(g_.operand(n, 0));
      int number = 0;
      for (int k = 0; k < g_.word(n, 0); ++k) number += wanted[k];
      return number;
    }
    if (g_.is(n, op_role::result)) return static_cast<int>(g_.word(n, 0));
    if (stacked_state(n) >= 0) return -1 - stacked_state(n);
    const int loop = g_.operand(n, 0);
    int number = states(loop);
    for (int i = 0; i < n; ++i) number += is_stack_of(i, loop) && stacked_state(i) < 0 ? 1 : 0;
    return number;
  }

  /// What a region's sub-graphs are given: the operands that come first, then what they read beside.
  constexpr vector<int> operands(int region) const {
    vector<int> in;
    for (int k = 0; k < given(region); ++k) in.push_back(g_.operand(region, k));
    vector<char> seen(g_.size(), 0);
    for (int k = 0; has_parameters(region) && k < given(region); ++k) seen[g_.operand(region, given(region) + k)] = 1;
    for (int part = 0; part < parts(region); ++part) {
      vector<int> stack = results(region, part);
      while (!stack.empty()) {
        const int n = stack.back();
        stack.pop_back();
        if (seen[n] != 0) continue;
        seen[n] = 1;
        if (is_given(n))
          in.push_back(n);
        else
          for (int k = 0; k < g_[n].count; ++k) stack.push_back(g_.operand(n, k));
      }
    }
    return in;
  }
  /// Whether sub-graphs are given the value of node n where they read it, rather than computing it themselves. What only they need they
  /// compute; constants cost nothing; slots' values lie elsewhere; a call of a function stands outside of all regions, and gives what
  /// only they read of it.
  constexpr bool is_given(int n) const {
    if (free_[n] != 0 || constant_behind(g_, n) >= 0 || g_.is(n, op_role::index)) return false;
    if (g_.is(n, op_role::result) && g_.is(g_.operand(n, 0), op_role::call)) return true;
    return needed(n) || g_.is(n, op_role::variable) || g_.is(n, op_role::placeholder);
  }

 private:
  /// Marks what the results need, whatever branches are taken. Of sub-graphs that is what depends on no parameter.
  constexpr void visit(int root) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      const int n = stack_.back();
      stack_.pop_back();
      vector<char>& seen = free_[n] == 0 ? needed_ : inside_;
      if (seen[n] != 0) continue;
      seen[n] = 1;
      const int count = computed_operands(g_, n);
      for (int k = 0; k < count; ++k) stack_.push_back(g_.operand(n, k));
      if (g_.is(n, op_role::recompute)) visit_what_is_read(n);
    }
  }
  /// Of what is computed again stands outside what it reads, so that no chain of such regions is planned in each of its links. It moves what
  /// it reads itself: a transposed matrix would be copied to be handed over. What is made of draws and numbers alone is computed again, too:
  /// a mask of dropout would be kept otherwise.
  constexpr void visit_what_is_read(int region) {
    if (in_recompute_.empty()) {
      in_recompute_.resize(g_.size(), 0);
      made_of_nothing_.resize(g_.size(), 0);
      for (int n = 0; n < g_.size(); ++n) made_of_nothing_[n] = is_made_of_nothing(n) ? 1 : 0;
    }
    vector<int> inner;
    for (int k = 2 * given(region); k < g_[region].count; ++k) inner.push_back(g_.operand(region, k));
    while (!inner.empty()) {
      const int n = inner.back();
      inner.pop_back();
      if (free_[n] == 0) {
        if (made_of_nothing_[n] != 0) continue;
        if (g_[n].op->kind == op_kind::movement && g_[n].count == 1)
          inner.push_back(g_.operand(n, 0));
        else
          stack_.push_back(n);
        continue;
      }
      if (in_recompute_[n] != 0) continue;
      in_recompute_[n] = 1;
      const int count = g_.is(n, op_role::branch) ? given(n) : g_[n].count;
      for (int k = 0; k < count; ++k) inner.push_back(g_.operand(n, k));
    }
  }
  /// Whether node n follows from no slot and no parameter: constants, draws, indices, and what is made of their elements.
  constexpr bool is_made_of_nothing(int n) const {
    const op_kind kind = g_[n].op->kind;
    if (g_[n].count == 0)
      return kind == op_kind::source && free_[n] == 0 && !g_.is(n, op_role::variable) && !g_.is(n, op_role::placeholder);
    bool all = kind == op_kind::elementwise || kind == op_kind::movement;
    for (int k = 0; k < g_[n].count && all; ++k) all = made_of_nothing_[g_.operand(n, k)] != 0;
    return all;
  }

  /// What each sub-graph of a branch needs is needed whatever is chosen. In a chain of branches, or of their gradients, where each alone
  /// reads the one before, every sub-graph would otherwise have the rest of the chain in it: 2^n plans for n branches.
  constexpr bool visit_what_all_parts_need(int branch) {
    vector<int> parts_with(g_.size(), 0), seen(g_.size(), -1);
    for (int part = 0; part < parts(branch); ++part) {
      stack_ = results(branch, part);
      while (!stack_.empty()) {
        const int n = stack_.back();
        stack_.pop_back();
        if (needed_[n] != 0 || seen[n] == part) continue;
        seen[n] = part;
        ++parts_with[n];
        const int count = computed_operands(g_, n);
        for (int k = 0; k < count; ++k) stack_.push_back(g_.operand(n, k));
      }
    }
    bool found = false;
    for (int n = g_.size(); n-- > 0;)
      if (parts_with[n] == parts(branch) && free_[n] == 0 && needed_[n] == 0) {
        visit(n);
        found = true;
      }
    return found;
  }

  const graph& g_;
  vector<std::uint64_t> free_;
  vector<char> needed_, inside_;
  vector<char> in_recompute_, made_of_nothing_;  ///< per node; empty where nothing is computed again
  vector<int> calls_, stack_;
};

}  // namespace etch::detail
