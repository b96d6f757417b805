// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/all_regions.hpp>

/// The gradient of a branch, and of what is computed again: a region of the same kind, which is given the adjoints of the values beside what
/// the forward one is given. Each of its bodies computes the forward values again, so that nothing is computed that the choice does not ask
/// for, and gives what they add to the gradients of the operands. What the forward one has had of the host is handed over instead.
namespace etch::detail {

class parts_gradient {
 public:
  constexpr parts_gradient(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& outside, int region)
      : mode_(mode), g_(g), outside_(outside), region_(region), parts_(body_count(g, region)), first_(first_body(g, region)),
        values_(g, mode.bodies) {}

  constexpr void run() {
    kept_ = values_.of(region_);
    const int operands = g_[region_].count, made_first = g_.add_bodies(parts_);
    for (int i = 0; i < outside_.of_regions.size(); ++i)
      if (outside_.of_regions[i].region == region_) given_.push_back(outside_.of_regions[i]);
    vector<vector<int>> adjoints(parts_), masks(parts_);
    vector<char> is_wanted(operands, 0), has_mask(operands, 0);
    for (int part = 0; part < parts_; ++part) {
      sweep(first_ + part, made_first + part, operands, adjoints[part], masks[part]);
      for (int k = 0; k < operands; ++k) {
        if (adjoints[part][k] < 0) continue;
        is_wanted[k] = 1;
        if (masks[part][k] >= 0) has_mask[k] = 1;
      }
    }
    // Where any body has a mask, another value says what that of the body holds for which has run.
    vector<int> wanted, masked, in;
    for (int k = 0; k < operands; ++k) {
      if (is_wanted[k] == 0) continue;
      wanted.push_back(k);
      if (has_mask[k] != 0) masked.push_back(k);
    }
    if (wanted.empty()) return;
    for (int part = 0; part < parts_; ++part) {
      vector<int> gives;
      g_.body = made_first + part;
      for (int i = 0; i < wanted.size(); ++i) {
        const int adjoint = adjoints[part][wanted[i]];
        gives.push_back(adjoint >= 0 ? adjoint : filled(g_, g_.type(g_.operand(region_, wanted[i])), 0).node);
      }
      for (int i = 0; i < masked.size(); ++i) {
        const int mask = masks[part][masked[i]];
        const tensor_type type = g_.type(g_.operand(region_, masked[i])).with(dtype::boolean);
        const bool adds = adjoints[part][masked[i]] >= 0;
        gives.push_back(mask >= 0 ? mask : filled(g_, type, adds ? 1 : 0).node);
      }
      g_.set_results(made_first + part, gives);
    }
    g_.body = outside_.to;
    for (int k = 0; k < operands; ++k) in.push_back(value_outside(g_.operand(region_, k)));
    for (int i = 0; i < given_.size(); ++i) in.push_back(given_[i].adjoint);
    for (int i = 0; i < kept_.size(); ++i) in.push_back(value_outside(kept_[i].result));
    for (int i = 0; i < given_.size(); ++i)
      if (given_[i].taken >= 0) in.push_back(given_[i].taken);
    words w = g_.words_of(region_);
    w.at[body_word(*g_[region_].op)] = made_first;
    if (g_.is(region_, op_role::recompute)) w.at[1] = in.size();
    const int made = append_to_body(g_, outside_.to, *g_[region_].op, w, tensor_type{}, in.data(), in.size());
    for (int i = 0, next_mask = wanted.size(); i < wanted.size(); ++i) {
      const int to = g_.operand(region_, wanted[i]);
      const tensor_type type = g_.type(to);
      const int mask = has_mask[wanted[i]] == 0 ? -1 : append_result(g_, outside_.to, made, next_mask++, type.with(dtype::boolean));
      mode_.add(outside_, to, {&g_, append_result(g_, outside_.to, made, i, type)}, mode_.mask_of_taken(mask));
    }
  }

 private:
  constexpr int value_outside(int n) { return outside_.forward != nullptr ? outside_.forward->at(n) : n; }

  /// The adjoints of the region's operands and their masks, in a body that has a copy of the forward one's nodes.
  constexpr void sweep(int forward, int made, int operands, vector<int>& adjoints, vector<int>& masks) {
    body_copier copier(g_, values_);
    vector<int> node_of = copier.nothing_of(forward), seeds, taken;
    for (int i = 0; i < given_.size(); ++i) seeds.push_back(append_parameter(g_, made, operands + i, g_.type(given_[i].adjoint)));
    for (int i = 0; i < kept_.size(); ++i)
      if (kept_[i].body == forward)
        node_of[kept_[i].node] = append_parameter(g_, made, operands + given_.size() + i, g_.type(kept_[i].node));
    for (int i = 0, number = operands + given_.size() + kept_.size(); i < given_.size(); ++i)
      taken.push_back(given_[i].taken < 0 ? -1 : append_parameter(g_, made, number++, g_.type(given_[i].taken)));
    node_of = copier.copy(forward, made, node_of);
    const vector<int> nodes = mode_.bodies.of(made);
    reverse_sweep<all_regions> inside(g_.size(), nodes);
    inside.to = made;
    for (int i = 0; i < nodes.size(); ++i) {
      const int n = nodes[i];
      if (g_.is(n, op_role::parameter)) {
        const int k = static_cast<int>(g_.word(n, 1));
        if (k < operands && is_floating(g_.type(n).type)) inside.active[n] = outside_.active[g_.operand(region_, k)];
      } else if (carries_gradients(g_, n)) {
        for (int k = 0; k < g_[n].count && inside.active[n] == 0; ++k) inside.active[n] = inside.active[g_.operand(n, k)];
      }
    }
    g_.body = made;
    for (int i = 0; i < given_.size(); ++i)
      mode_.add(inside, node_of[g_.result(forward, static_cast<int>(g_.word(given_[i].value, 0)))], {&g_, seeds[i]},
                mode_.mask_of_taken(taken[i]));
    mode_.run(inside, nodes);
    adjoints.resize(operands, -1);
    masks.resize(operands, -1);
    const vector<int> parameters = mode_.bodies.parameters_of(made, operands);
    for (int k = 0; k < operands; ++k) {
      if (parameters[k] < 0) continue;
      adjoints[k] = inside.adjoint[parameters[k]];
      if (adjoints[k] >= 0) masks[k] = mode_.taken(inside, parameters[k]);
    }
  }

  reverse_mode<all_regions>& mode_;
  graph& g_;
  reverse_sweep<all_regions>& outside_;
  int region_, parts_, first_;
  vector<reverse_sweep<all_regions>::region_adjoint> given_;  ///< the adjoints of its values
  kept_host_values values_;
  vector<kept_host_value> kept_;
};

}  // namespace etch::detail
