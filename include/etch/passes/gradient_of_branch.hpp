// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/all_regions.hpp>

/// The gradient of a branch: a branch on the same choice, of which each sub-graph gives what its forward one adds to the gradients of what
/// it reads from outside. What only a branch needs is computed in it again, so nothing is that the choice does not ask for.
namespace etch::detail {

class branch_gradient {
 public:
  constexpr branch_gradient(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& outside, int branch)
      : mode_(mode), g_(g), outside_(outside), branch_(branch), regions_(static_cast<int>(g.word(branch, 0))),
        values_(static_cast<int>(g.word(branch, 1))), needed_(branch, 0), is_wanted_(branch, 0) {}

  constexpr void run() {
    find_needed();
    vector<vector<int>> adjoints(regions_);
    for (int r = 0; r < regions_; ++r) adjoints[r] = sweep(r);
    vector<int> wanted;
    for (int n = 0; n < branch_; ++n)
      if (is_wanted_[n] != 0) wanted.push_back(n);
    if (wanted.empty()) return;
    const int chosen_by = g_.operand(branch_, 0);
    vector<int> in;
    in.push_back(outside_.forward != nullptr ? outside_.forward->at(chosen_by) : chosen_by);
    for (int r = 0; r < regions_; ++r)
      for (int i = 0; i < wanted.size(); ++i) {
        const int adjoint = adjoints[r][wanted[i]];
        in.push_back(adjoint >= 0 ? adjoint : mode_.zeros(g_.type(wanted[i])).node);
      }
    const int made = g_.push(info_of<region_branch>, words(regions_, wanted.size()), tensor_type{}, in.data(), in.size());
    for (int i = 0; i < wanted.size(); ++i) {
      const tensor_type type = g_.type(wanted[i]);
      mode_.add(outside_, wanted[i], {&g_, g_.push(info_of<region_result>, words(i), type, &made, 1)});
    }
  }

 private:
  /// What is computed whatever is chosen, or is the end of the sweep that this branch is part of.
  constexpr void find_needed() {
    vector<int> roots = outside_.roots;
    roots.push_back(g_.operand(branch_, 0));
    vector<char> seen(g_.size(), 0);
    for (int i = 0; i < roots.size(); ++i) need(roots[i], seen);
    // What a region that runs in any case gives is there, also where only the branch reads it.
    for (bool again = true; again;) {
      again = false;
      for (int n = 0; n < branch_; ++n)
        if ((g_.is(n, op_role::result) || g_.is(n, op_role::stack)) && seen[n] == 0 && seen[g_.operand(n, 0)] != 0) {
          need(n, seen);
          again = true;
        }
    }
    for (int n = 0; n < branch_; ++n)
      if (seen[n] != 0 || g_[n].count == 0 || outside_.is_target[n] != 0 || (!outside_.is_end.empty() && outside_.is_end[n] != 0))
        needed_[n] = 1;
  }
  constexpr void need(int root, vector<char>& seen) const {
    vector<int> stack;
    stack.push_back(root);
    while (!stack.empty()) {
      const int n = stack.back();
      stack.pop_back();
      if (seen[n] != 0) continue;
      seen[n] = 1;
      const int count = computed_operands(g_, n);
      for (int k = 0; k < count; ++k) stack.push_back(g_.operand(n, k));
    }
  }

  constexpr vector<int> sweep(int region) {
    reverse_sweep<all_regions> inside(branch_);
    for (int n = 0; n < branch_; ++n) {
      inside.active[n] = outside_.active[n];
      inside.is_target[n] = outside_.is_target[n];
    }
    inside.is_end = needed_;
    inside.forward = outside_.forward;
    if (inside.forward != nullptr)
      for (int n = 0; n < branch_; ++n)
        if (needed_[n] == 0) inside.forward->set_lazy(n);
    for (int i = 0; i < outside_.of_regions.size(); ++i) {
      const reverse_sweep<all_regions>::region_adjoint a = outside_.of_regions[i];
      if (a.region != branch_) continue;
      const int value = g_.operand(branch_, 1 + region * values_ + static_cast<int>(g_.word(a.value, 0)));
      inside.roots.push_back(value);
      mode_.add(inside, value, {&g_, a.adjoint});
    }
    mode_.run(inside, branch_ - 1);
    for (int n = 0; n < branch_; ++n)
      if (needed_[n] != 0 && inside.adjoint[n] >= 0) is_wanted_[n] = 1;
    return inside.adjoint;
  }

  reverse_mode<all_regions>& mode_;
  graph& g_;
  reverse_sweep<all_regions>& outside_;
  int branch_, regions_, values_;
  vector<char> needed_;     ///< per node: whether it is computed outside of the branch
  vector<char> is_wanted_;  ///< per node: whether some sub-graph adds to its gradient
};

}  // namespace etch::detail
