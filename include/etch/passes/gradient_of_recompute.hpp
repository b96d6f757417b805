// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/all_regions.hpp>

/// The gradient of what is computed again: a region that is given the arguments, from which it makes the forward values anew, and the
/// adjoints of the values. It gives what these add to the gradients of the arguments, and of all that the body reads beside.
namespace etch::detail {

class recompute_gradient {
 public:
  constexpr recompute_gradient(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& outside, int region,
                               parameter_numbers& numbers)
      : mode_(mode), g_(g), outside_(outside), region_(region), level_(static_cast<int>(g.word(region, 0))),
        arguments_(given_operands(g, region)), numbers_(numbers), inside_(region) {}

  constexpr void run() {
    find_active();
    seed();
    mode_.run(inside_, region_ - 1);
    vector<int> to, adjoints, masks;
    const auto take = [&](int node, int of) {
      if (inside_.adjoint[of] < 0) return;
      to.push_back(node);
      adjoints.push_back(inside_.adjoint[of]);
      masks.push_back(mode_.taken(inside_, of));
    };
    for (int k = 0; k < arguments_; ++k) take(operand(k), parameter_of(k));
    for (int n = 0; n < region_; ++n)
      if (!is_inside(n)) take(n, n);
    if (to.empty()) return;
    vector<int> in = given_;
    in.append(parameters_);
    in.append(adjoints);
    for (int i = 0; i < masks.size(); ++i)
      if (masks[i] >= 0) in.push_back(masks[i]);
    const int made = g_.push(info_of<region_recompute>, words(level_, given_.size()), tensor_type{}, in.data(), in.size());
    const auto result = [&](int number, const tensor_type type) {
      return g_.push(info_of<region_result>, words(number), type, &made, 1);
    };
    for (int i = 0, next_mask = to.size(); i < to.size(); ++i) {
      const int mask = masks[i] >= 0 ? result(next_mask++, g_.type(masks[i])) : -1;
      mode_.add(outside_, to[i], {&g_, result(i, g_.type(adjoints[i]))}, mode_.mask_of_taken(mask));
    }
  }

 private:
  constexpr int operand(int k) const { return g_.operand(region_, k); }
  constexpr int parameter_of(int k) const { return operand(arguments_ + k); }
  constexpr bool is_inside(int n) const { return (levels_[n] >> level_ & 1) != 0; }
  /// The node that has the value of node n, outside of this region, where the backward pass is.
  constexpr int value_of(int n) const { return outside_.forward != nullptr ? outside_.forward->at(n) : n; }

  constexpr void find_active() {
    vector<char>& active = inside_.active;
    inside_.forward = outside_.forward;
    inside_.is_end.resize(region_, 0);
    for (int n = 0; n < region_; ++n) {
      levels_.push_back(free_levels(g_, n, levels_));
      if (is_inside(n)) continue;
      inside_.is_end[n] = 1;
      active[n] = outside_.active[n];
    }
    for (int k = 0; k < arguments_; ++k) {
      const int p = parameter_of(k);
      inside_.is_end[p] = 1;
      active[p] = is_floating(g_.type(p).type) ? outside_.active[operand(k)] : 0;
    }
    for (int n = 0; n < region_; ++n) {
      if (inside_.is_end[n] != 0 || !carries_gradients(g_, n)) continue;
      for (int k = 0; k < g_[n].count && active[n] == 0; ++k) active[n] = active[g_.operand(n, k)];
    }
  }

  /// What the gradient's region is given: the arguments, then the adjoints of the values.
  constexpr void give(int node, int parameter) {
    given_.push_back(node);
    parameters_.push_back(parameter);
  }
  constexpr void seed() {
    for (int k = 0; k < arguments_; ++k) give(value_of(operand(k)), parameter_of(k));
    for (int i = 0; i < outside_.of_regions.size(); ++i) {
      const reverse_sweep<all_regions>::region_adjoint a = outside_.of_regions[i];
      if (a.region != region_) continue;
      const int value = operand(2 * arguments_ + static_cast<int>(g_.word(a.value, 0)));
      const int p = append_parameter(g_, level_, numbers_, g_.type(a.adjoint));
      give(a.adjoint, p);
      int mask = -1;
      if (a.taken >= 0) give(a.taken, mask = append_parameter(g_, level_, numbers_, g_.type(a.taken)));
      inside_.roots.push_back(value);
      mode_.add(inside_, value, {&g_, p}, mode_.mask_of_taken(mask));
    }
  }

  reverse_mode<all_regions>& mode_;
  graph& g_;
  reverse_sweep<all_regions>& outside_;
  int region_, level_, arguments_;
  parameter_numbers& numbers_;
  reverse_sweep<all_regions> inside_;
  vector<std::uint64_t> levels_;  ///< per node before the region
  vector<int> given_, parameters_;
};

}  // namespace etch::detail
