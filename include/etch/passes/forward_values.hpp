// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/regions.hpp>

/// What the backward loop of a loop reads of the forward one: values of its nodes in each step, kept in stacks or computed again.
namespace etch::detail {

/// The cost in flops of an op from which on its value is kept rather than computed again.
inline constexpr int least_kept_cost = 4;

class forward_values {
 public:
  constexpr forward_values(graph& g, int loop, parameter_numbers& numbers, forward_values* outer)
      : g_(g), loop_(loop), level_(static_cast<int>(g.word(loop, 0))), numbers_(numbers), outer_(outer) {}

  constexpr int level() const { return level_; }
  /// Whether node n does not change from step to step.
  constexpr bool is_outside(int n) { return (levels_of(n) >> level_ & 1) == 0; }

  /// The node of the backward graph that has the value which node n has in the forward step.
  constexpr int at(int n) {
    if (is_outside(n)) return outer_ != nullptr ? outer_->at(n) : n;
    if (here_.size() <= n) here_.resize(n + 1, -1);
    if (here_[n] >= 0) return here_[n];
    const int made = is_kept(n) ? keep(n) : compute(n);
    return here_[n] = made;
  }
  /// Node n may not be computed in the forward step: it is computed again, not kept.
  constexpr void set_lazy(int n) {
    if (lazy_.size() <= n) lazy_.resize(n + 1, 0);
    lazy_[n] = 1;
  }
  /// The node that holds the values of parameter `p` in all steps, outside of the loop; -1 where it is no parameter of ours.
  constexpr int sequence_of(int p) {
    for (int i = 0; i < kept_.size(); ++i)
      if (kept_[i].parameter == p) return sequence(kept_[i]);
    return -1;
  }
  /// What has been kept so far.
  constexpr int kept() const { return kept_.size(); }
  constexpr int parameter(int i) const { return kept_[i].parameter; }

 private:
  struct kept_value {
    int node = -1, parameter = -1;
    int sequence = -1;
  };

  constexpr std::uint64_t levels_of(int n) {
    while (levels_.size() <= n) levels_.push_back(free_levels(g_, levels_.size(), levels_));
    return levels_[n];
  }
  constexpr bool recomputes() const { return (g_.word(loop_, 3) & 2) != 0; }
  constexpr bool is_kept(int n) {
    const node& d = g_[n];
    if ((levels_of(n) & ((std::uint64_t{1} << level_) - 1)) != 0) return false;  // of an inner region, which runs again
    if (d.op->role == op_role::parameter) return true;
    if (d.op->kind == op_kind::movement || (n < lazy_.size() && lazy_[n] != 0)) return false;
    if (d.op->stateful && d.op->on_host) return true;  // it happens once
    if (recomputes()) return false;
    if (d.op->kind != op_kind::elementwise || d.op->cost >= least_kept_cost) return true;
    // Cheap ones are computed again where what they are made of is there anyway.
    for (int k = 0; k < d.count; ++k)
      if (!is_there(g_.operand(n, k))) return true;
    return false;
  }
  constexpr bool is_there(int n) {
    if (is_outside(n)) return true;
    while (g_[n].op->kind == op_kind::movement) n = g_.operand(n, 0);
    if (is_outside(n) || g_.is(n, op_role::parameter) || g_.is(n, op_role::result)) return true;
    return g_[n].op->kind == op_kind::elementwise && g_[n].op->cost >= least_kept_cost;
  }
  constexpr int keep(int n) {
    const int p = append_parameter(g_, level_, numbers_, g_.type(n));
    kept_.push_back({n, p, -1});
    return p;
  }
  constexpr int compute(int n) {
    vector<int> in;
    for (int k = 0; k < g_[n].count; ++k) in.push_back(at(g_.operand(n, k)));
    const node d = g_[n];
    return g_.push({d.op, in.data(), d.count, d.type, d.first_word, d.word_count, d.slot, 0});
  }
  constexpr int sequence(kept_value& v) {
    if (v.sequence >= 0) return v.sequence;
    const int states = static_cast<int>(g_.word(loop_, 1)), sequences = static_cast<int>(g_.word(loop_, 2));
    int found = -1;
    for (int j = 0; j < sequences; ++j)
      if (g_.operand(loop_, 2 * states + sequences + j) == v.node) found = g_.operand(loop_, states + j);
    if (found < 0) found = append_stack(g_, loop_, v.node);
    return v.sequence = outer_ != nullptr ? outer_->at(found) : found;
  }

  graph& g_;
  int loop_, level_;
  parameter_numbers& numbers_;
  forward_values* outer_;
  vector<std::uint64_t> levels_;
  vector<int> here_;   ///< per node
  vector<char> lazy_;  ///< per node
  vector<kept_value> kept_;
};

}  // namespace etch::detail
