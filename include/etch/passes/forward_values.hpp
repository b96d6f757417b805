// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/kept_host_values.hpp>

/// What the backward loop of a loop reads of the forward one: values that its body's nodes have in each step, kept in stacks or computed again.
namespace etch::detail {

/// The cost in flops of an op from which on its value is kept rather than computed again.
inline constexpr int least_kept_cost = 4;

class forward_values {
 public:
  /// backward: the body of the backward loop. outer: where the forward loop stands in the body of another one whose gradient this is part of.
  constexpr forward_values(graph& g, body_index& bodies, int loop, int backward, forward_values* outer)
      : g_(g), loop_(loop), backward_(backward), outer_(outer), values_(g, bodies) {}

  /// Whether a value would have to be kept that has as many axes as arrays may have already.
  constexpr bool exceeds_rank() const { return exceeds_rank_; }

  /// Whether node n stands for what the loop's body has captured.
  constexpr bool is_captured(int n) const { return g_.is(n, op_role::parameter) && g_.word(n, 1) >= given_operands(g_, loop_); }
  /// Whether the gradient of a value that the loop is given ends there: nothing reads a mask of it.
  constexpr bool is_leaf(int operand) const {
    const int n = g_.operand(loop_, operand);
    return g_[n].count == 0 && !g_.is(n, op_role::parameter);
  }
  constexpr bool is_captured_leaf(int n) const { return is_captured(n) && is_leaf(static_cast<int>(g_.word(n, 1))); }

  /// The node of the backward body that has the value which node n has in the forward step.
  constexpr int at(int n) {
    if (here_.size() <= n) here_.resize(n + 1, -1);
    if (here_[n] >= 0 && !lacks_results(n, here_[n])) return here_[n];
    const int made = is_captured(n) ? capture(n) : is_kept(n) ? keep(n) : compute(n);
    return here_[n] = made;
  }
  /// The node that has the value of node n of the loop's surroundings, where the backward loop stands.
  constexpr int outside(int n) { return outer_ != nullptr ? outer_->at(n) : n; }

  /// What has been kept, or captured, so far: parameters of the backward body.
  constexpr int kept() const { return kept_.size(); }
  constexpr int kept_parameter(int i) const { return kept_[i].parameter; }
  constexpr int captures() const { return captured_.size(); }
  constexpr int capture_parameter(int i) const { return captured_[i].parameter; }
  constexpr int captured_value(int i) const { return captured_[i].node; }
  /// The node that holds the values of parameter `p` in all steps, outside of the backward loop; -1 where it is not of something kept.
  constexpr int sequence_of(int p) {
    for (int i = 0; i < kept_.size(); ++i)
      if (kept_[i].parameter == p) return sequence(kept_[i]);
    return -1;
  }

 private:
  struct value {
    int node = -1, parameter = -1, sequence = -1;
  };

  /// Whether region n gives more than when it was copied, since its own gradient reads what its bodies have computed. Then it is copied once
  /// more, and computed twice: what reads the first copy stands behind that, and before what the gradient adds.
  constexpr bool lacks_results(int n, int copy) const {
    return is_region(g_, n) && g_.result_count(first_body(g_, copy)) < g_.result_count(first_body(g_, n));
  }
  constexpr int new_parameter(int n) { return append_parameter(g_, backward_, -1, g_.type(n)); }
  constexpr int capture(int n) {
    const int p = new_parameter(n);
    const int value_outside = outside(g_.operand(loop_, static_cast<int>(g_.word(n, 1))));
    captured_.push_back({value_outside, p, -1});
    return p;
  }
  constexpr bool recomputes() const { return (g_.word(loop_, 3) & loop_mode::recomputes) != 0; }
  constexpr bool is_kept(int n) const {
    const node& d = g_[n];
    if (d.op->role == op_role::parameter || (d.op->stateful && d.op->on_host)) return true;
    if (is_made_of_nothing(n) || is_region(g_, n) || d.op->kind == op_kind::movement || recomputes()) return false;
    if (d.op->kind != op_kind::elementwise || d.op->cost >= least_kept_cost) return true;
    // Cheap ones are computed again where what they are made of is there anyway.
    for (int k = 0; k < d.count; ++k)
      if (!is_there(g_.operand(n, k))) return true;
    return false;
  }
  constexpr bool is_made_of_nothing(int n) const { return g_[n].op->kind == op_kind::source && g_[n].count == 0; }
  constexpr bool is_there(int n) const {
    while (g_[n].op->kind == op_kind::movement) n = g_.operand(n, 0);
    if (is_made_of_nothing(n) || g_.is(n, op_role::result)) return true;
    return g_[n].op->kind == op_kind::elementwise && g_[n].op->cost >= least_kept_cost;
  }
  constexpr int keep(int n) {
    const int p = new_parameter(n);
    kept_.push_back({n, p, -1});
    return p;
  }
  constexpr int compute(int n) {
    vector<int> in, had;
    const int count = g_[n].count;
    for (int k = 0; k < count; ++k) in.push_back(at(g_.operand(n, k)));
    if (is_region(g_, n)) {
      const vector<kept_host_value> values = values_.of(n);
      for (int i = 0; i < values.size(); ++i) {
        const int result = values[i].result;
        if (here_.size() <= result) here_.resize(result + 1, -1);
        if (here_[result] < 0) here_[result] = keep(result);
        had.push_back(here_[result]);
      }
    }
    body_copier copier(g_, values_);
    return copier.copy_node(n, backward_, in, had);
  }
  constexpr int sequence(value& v) {
    if (v.sequence >= 0) return v.sequence;
    const bool is_element = g_.is(v.node, op_role::parameter) && g_.word(v.node, 1) >= states_of(g_, loop_);
    if (!is_element && g_.type(v.node).rank == max_rank) {
      exceeds_rank_ = true;
      return v.sequence = outside(g_.operand(loop_, states_of(g_, loop_)));
    }
    const int all = is_element ? g_.operand(loop_, static_cast<int>(g_.word(v.node, 1))) : append_stack(g_, loop_, v.node);
    return v.sequence = outside(all);
  }

  graph& g_;
  int loop_, backward_;
  forward_values* outer_;
  kept_host_values values_;
  vector<int> here_;  ///< per node
  vector<value> kept_, captured_;
  bool exceeds_rank_ = false;
};

}  // namespace etch::detail
