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
      : g_(g), f_(f), s_(s), step_of_(f.clusters.size(), -1), copy_(g.assignments.size(), -1), writer_(g.assignments.size(), -1),
        holder_(g.size(), -1) {}

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
      if (t.join >= 0) {
        if (!s_.is_in_parts(g_, t.join)) return {plan_invariant::every_cluster_runs_once, i, t.join};
        step_of_[f_.order.find(f_[t.join].cluster)] = i;
        continue;
      }
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
    // A join is there when the last of its operands is.
    for (int n = 0; n < g_.size(); ++n) {
      if (!s_.is_in_parts(g_, n)) continue;
      int& last = step_of_[f_.order.find(f_[n].cluster)];
      for (int k = 0; k < g_[n].count; ++k)
        if (const int own = step_of(f_[g_.operand(n, k)].home); own > last) last = own;
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

  /// The step that makes each assignment, in their order, and which values lie in variables.
  constexpr plan_fault find_writers() {
    vector<int> before(g_.size(), -1);  // per variable: the assignment before this one
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const assignment& a = g_.assignments[i];
      const int root = f_[a.value].root;
      const bool in_place = a.word_count > 0 ? s_.part[root] == i : s_.stored_in[root] == a.variable && holder_[root] < 0;
      writer_[i] = in_place ? step_of(f_[root].cluster) : copy_[i];
      if (writer_[i] < 0) return {plan_invariant::every_cluster_runs_once, -1, a.value};
      if (s_.stored_in[root] == a.variable) holder_[root] = i;
      const int earlier = before[a.variable];
      before[a.variable] = i;
      if (earlier >= 0 && writer_[earlier] > writer_[i])
        return {plan_invariant::variables_are_read_before_they_are_written, writer_[i], a.value};
    }
    return {};
  }
  /// Whether what node o reads of the memory of node `root` is there when step `own` runs: nothing that was assigned by then is of it.
  constexpr bool is_there(int o, int root, int own) const {
    const bool is_variable = g_.is(root, op_role::variable);
    if (!is_variable && holder_[root] < 0) return true;
    const int variable = is_variable ? root : g_.assignments[holder_[root]].variable;
    for (int i = is_variable ? 0 : holder_[root] + 1; i < g_.assignments.size(); ++i)
      if (g_.assignments[i].variable == variable && writer_[i] < own && (!is_variable || shares_elements(o, i))) return false;
    return true;
  }
  /// Whether node o, of a variable's elements, and the part that assignment i writes have some in common.
  constexpr bool shares_elements(int o, int i) const {
    const assignment& a = g_.assignments[i];
    if (a.word_count == 0 || !g_.is(o, info_of<struct slice>) || g_.operand(o, 0) != a.variable) return true;
    const words read = g_.words_of(o), written = g_.words_at(a.first_word, a.word_count);
    for (int axis = 0; axis < g_.type(o).rank; ++axis) {
      const extent_value whole = g_.type(a.variable).extents[axis];
      if (3 * axis >= read.count || !is_static(whole)) continue;
      bool meet = false;
      for (std::int64_t x = 0; x < g_.type(o).extents[axis] && !meet; ++x)
        for (std::int64_t y = 0; y < g_.type(a.value).extents[axis] && !meet; ++y)
          meet = place_of(read, axis, whole) + x * read[3 * axis + 2] == place_of(written, axis, whole) + y * written[3 * axis + 2];
      if (!meet) return false;
    }
    return true;
  }
  static constexpr std::int64_t place_of(const words& w, int axis, std::int64_t n) {
    return slice.begin_of(n, w[3 * axis], w[3 * axis + 2]);
  }
  constexpr plan_fault check_reads() const {
    for (int n = 0; n < g_.size(); ++n) {
      const int own = step_of(f_[n].cluster);
      for (int k = 0; k < g_[n].count && own >= 0; ++k)
        if (const int o = g_.operand(n, k); !is_there(o, f_[o].root, own))
          return {plan_invariant::variables_are_read_before_they_are_written, own, n};
    }
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const int value = g_.assignments[i].value;
      if (copy_[i] >= 0 && !is_there(value, f_[value].root, copy_[i]))
        return {plan_invariant::variables_are_read_before_they_are_written, copy_[i], value};
    }
    return {};
  }

  const graph& g_;
  const fusion& f_;
  const sequence& s_;
  vector<int> step_of_;  ///< per cluster
  vector<int> copy_;     ///< per assignment: the step that copies its value, or -1
  vector<int> writer_;   ///< per assignment: the step that makes it
  vector<int> holder_;   ///< per node: the assignment whose value it is, if it lies in the variable's memory
};

}  // namespace detail

/// What is broken in the order of a graph's steps: `at` is a step, `part` a node.
constexpr plan_fault verify(const graph& g, const fusion& f, const sequence& s) {
  detail::order_verifier v(g, f, s);
  return v.run();
}

}  // namespace etch
