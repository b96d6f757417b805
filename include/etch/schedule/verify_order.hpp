// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash_index.hpp>
#include <etch/schedule/sequence.hpp>
#include <etch/schedule/verify_plan.hpp>

/// Whether the steps of a run are in an order that gives the graph's values: what a plan alone does not show, since it has no nodes.
namespace etch {

namespace detail {

class order_verifier {
 public:
  constexpr order_verifier(const graph& g, const fusion& f, const sequence& s)
      : g_(g), f_(f), s_(s), step_of_(f.clusters.size(), -1), variable_of_(g.size(), -1), writer_(g.size(), -1),
        first_writer_(g.size(), -1), next_writer_(g.size(), -1), holder_(g.size(), -1) {}

  constexpr plan_fault run() {
    plan_fault fault = find_steps();
    if (!fault) fault = check_needs();
    if (!fault) fault = find_writers();
    if (!fault) fault = check_reads();
    return fault;
  }

 private:
  constexpr int step_of(int cluster) const { return cluster < 0 ? -1 : step_of_[f_.order.find(cluster)]; }

  constexpr plan_fault find_steps() {
    for (int i = 0; i < s_.tasks.size(); ++i) {
      const task& t = s_.tasks[i];
      if (t.cluster < 0) {
        copies_.insert(key_of(t.copy_from, t.copy_to), i);
        continue;
      }
      if (t.cluster >= f_.clusters.size() || !f_.alive(t.cluster) || step_of_[t.cluster] >= 0)
        return {plan_invariant::every_cluster_runs_once, i, -1};
      step_of_[t.cluster] = i;
    }
    for (int n = 0; n < g_.size(); ++n)
      if (f_[n].cluster >= 0 && step_of(f_[n].cluster) < 0) return {plan_invariant::every_cluster_runs_once, -1, n};
    return {};
  }
  /// Every operand that a cluster reads has been computed by an earlier step, or by itself.
  constexpr plan_fault check_needs() const {
    for (int n = 0; n < g_.size(); ++n) {
      const int own = step_of(f_[n].cluster);
      for (int k = 0; k < g_[n].count && own >= 0; ++k) {
        const int needed = step_of(f_[g_.operand(n, k)].home);
        if (needed > own) return {plan_invariant::steps_follow_what_they_need, own, n};
      }
    }
    for (int i = 0; i < s_.tasks.size(); ++i)
      if (s_.tasks[i].cluster < 0 && step_of(f_[s_.tasks[i].copy_from].home) >= i)
        return {plan_invariant::steps_follow_what_they_need, i, s_.tasks[i].copy_from};
    return {};
  }

  static constexpr hash_t key_of(int value, int variable) {
    return (static_cast<hash_t>(value) << 32 | static_cast<hash_t>(variable)) * 0x9e3779b97f4a7c15ull;
  }
  /// The step that makes each assignment, the first one for each variable, and for what lies in a variable's memory the step that
  /// writes over it.
  constexpr plan_fault find_writers() {
    for (int n = 0; n < g_.size(); ++n) {
      if (!g_.is(n, op_role::assign)) continue;
      const int before = g_.operand(n, 0), value = g_.operand(n, 1), root = f_[value].root;
      const int variable = variable_of_[n] = g_.is(before, op_role::assign) ? variable_of_[before] : before;
      const bool part = g_[n].word_count > 0;
      if (part ? s_.part[root] == n : s_.stored_in[root] == variable && holder_[root] < 0)
        writer_[n] = step_of(f_[root].cluster);
      else
        writer_[n] = copies_.find(key_of(value, part ? n : variable));
      if (writer_[n] < 0) return {plan_invariant::every_cluster_runs_once, -1, n};
      if (s_.stored_in[root] == variable) holder_[root] = n;
      if (before == variable) {
        first_writer_[variable] = writer_[n];
      } else {
        if (writer_[before] > writer_[n]) return {plan_invariant::variables_are_read_before_they_are_written, writer_[n], before};
        next_writer_[before] = writer_[n];
      }
    }
    return {};
  }
  /// The step that writes over what node `root`'s memory holds; -1 where none does.
  constexpr int overwriter_of(int root) const {
    if (g_.is(root, op_role::variable)) return first_writer_[root];
    return holder_[root] >= 0 ? next_writer_[holder_[root]] : -1;
  }
  constexpr plan_fault check_reads() const {
    for (int n = 0; n < g_.size(); ++n) {
      const int own = step_of(f_[n].cluster);
      for (int k = 0; k < g_[n].count && own >= 0; ++k) {
        const int root = f_[g_.operand(n, k)].root;
        const int over = overwriter_of(root);
        if (over >= 0 && own > over) return {plan_invariant::variables_are_read_before_they_are_written, own, n};
      }
    }
    for (int i = 0; i < s_.tasks.size(); ++i) {
      const task& t = s_.tasks[i];
      const int over = t.cluster < 0 ? overwriter_of(f_[t.copy_from].root) : -1;
      if (over >= 0 && i > over) return {plan_invariant::variables_are_read_before_they_are_written, i, t.copy_from};
    }
    return {};
  }

  const graph& g_;
  const fusion& f_;
  const sequence& s_;
  vector<int> step_of_;       ///< per cluster
  vector<int> variable_of_;   ///< per assignment: its variable
  vector<int> writer_;        ///< per assignment: the step that makes it
  vector<int> first_writer_;  ///< per variable
  vector<int> next_writer_;   ///< per assignment: the step that makes the next one of its variable
  vector<int> holder_;        ///< per node: the assignment whose value it is, if it lies in the variable's memory
  hash_index copies_;
};

}  // namespace detail

/// What is broken in the order of a graph's steps: `at` is a step, `part` a node.
constexpr plan_fault verify(const graph& g, const fusion& f, const sequence& s) {
  detail::order_verifier v(g, f, s);
  return v.run();
}

}  // namespace etch
