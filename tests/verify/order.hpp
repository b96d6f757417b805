// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/sequence.hpp>

#include "verify/plan_invariants.hpp"

/// Whether the steps of a run are in an order that gives the graph's values: what a plan alone does not show, since it has no nodes.
namespace etch {

namespace detail {

class order_verifier {
 public:
  constexpr order_verifier(const graph& g, const fusion& f, const sequence& s)
      : g_(g), f_(f), s_(s), step_of_(f.clusters.size(), -1), copy_(g.assignments.size(), -1), first_writer_(g.size(), -1),
        next_writer_(g.assignments.size(), -1), holder_(g.size(), -1) {}

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
        if (t.assigns < 0 || t.assigns >= g_.assignments.size() || copy_[t.assigns] >= 0)
          return {plan_invariant::every_cluster_runs_once, i, -1};
        copy_[t.assigns] = i;
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
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const int value = g_.assignments[i].value;
      if (copy_[i] >= 0 && step_of(f_[value].home) >= copy_[i])
        return {plan_invariant::steps_follow_what_they_need, copy_[i], value};
    }
    return {};
  }

  /// The first step that assigns each variable, and for what lies in a variable's memory the step that writes over it.
  constexpr plan_fault find_writers() {
    vector<int> before(g_.size(), -1);  // per variable: the assignment before this one
    vector<int> writer(g_.assignments.size(), -1);
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const assignment& a = g_.assignments[i];
      const int root = f_[a.value].root;
      const bool in_place = a.word_count > 0 ? s_.part[root] == i : s_.stored_in[root] == a.variable && holder_[root] < 0;
      writer[i] = in_place ? step_of(f_[root].cluster) : copy_[i];
      if (writer[i] < 0) return {plan_invariant::every_cluster_runs_once, -1, a.value};
      if (s_.stored_in[root] == a.variable) holder_[root] = i;
      const int earlier = before[a.variable];
      before[a.variable] = i;
      if (earlier < 0) {
        first_writer_[a.variable] = writer[i];
      } else {
        if (writer[earlier] > writer[i]) return {plan_invariant::variables_are_read_before_they_are_written, writer[i], a.value};
        next_writer_[earlier] = writer[i];
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
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const int value = g_.assignments[i].value, over = copy_[i] < 0 ? -1 : overwriter_of(f_[value].root);
      if (over >= 0 && copy_[i] > over) return {plan_invariant::variables_are_read_before_they_are_written, copy_[i], value};
    }
    return {};
  }

  const graph& g_;
  const fusion& f_;
  const sequence& s_;
  vector<int> step_of_;       ///< per cluster
  vector<int> copy_;          ///< per assignment: the step that copies its value, or -1
  vector<int> first_writer_;  ///< per variable: the step that makes its first assignment
  vector<int> next_writer_;   ///< per assignment: the step that makes the next one of its variable
  vector<int> holder_;        ///< per node: the assignment whose value it is, if it lies in the variable's memory
};

}  // namespace detail

/// What is broken in the order of a graph's steps: `at` is a step, `part` a node.
constexpr plan_fault verify(const graph& g, const fusion& f, const sequence& s) {
  detail::order_verifier v(g, f, s);
  return v.run();
}

}  // namespace etch
