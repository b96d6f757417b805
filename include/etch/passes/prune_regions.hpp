// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/bodies.hpp>

/// Dead-code elimination where graphs have bodies: nodes that nothing needs, values that nobody reads of a region, and operands that none of
/// its bodies reads.
namespace etch {

namespace detail {

class region_pruner {
 public:
  constexpr explicit region_pruner(const graph& g)
      : g_(g), live_(g.size(), 0), wanted_(g.bodies.size()), region_of_(regions_of_bodies(g)), made_(g.size()) {
    for (int b = 0; b < g.bodies.size(); ++b) wanted_[b].resize(g.result_count(b), 0);
    parameters_.resize(g.bodies.size());
    for (int n = 0; n < g.size(); ++n)
      if (g.is(n, op_role::parameter) && g[n].body > 0) {
        vector<int>& of = parameters_[g[n].body];
        of.push_back(n);
      }
  }

  constexpr graph run() {
    for (int i = 0; i < g_.fetches.size(); ++i) stack_.push_back(g_.fetches[i]);
    for (int i = 0; i < g_.assignments.size(); ++i) {
      stack_.push_back(g_.assignments[i].variable);
      stack_.push_back(g_.assignments[i].value);
    }
    mark();
    return rebuilt();
  }

 private:
  constexpr void mark() {
    while (!stack_.empty()) {
      const int n = stack_.back();
      stack_.pop_back();
      if (live_[n] != 0) continue;
      live_[n] = 1;
      if (is_region(g_, n)) {
        mark_region(n);
        continue;
      }
      if (g_.is(n, op_role::result) && is_region(g_, g_.operand(n, 0))) want(g_.operand(n, 0), static_cast<int>(g_.word(n, 0)));
      if (g_.is(n, op_role::parameter)) stack_.push_back(g_.operand(region_of_[g_[n].body], static_cast<int>(g_.word(n, 1))));
      for (int k = 0; k < g_[n].count; ++k) stack_.push_back(g_.operand(n, k));
    }
  }
  /// What it is given, all states, and the condition: whatever is read of it.
  constexpr void mark_region(int n) {
    const int given = g_.is(n, op_role::recompute) ? 0 : given_operands(g_, n);
    for (int k = 0; k < given; ++k) stack_.push_back(g_.operand(n, k));
    if (!g_.is(n, op_role::loop)) return;
    for (int k = 0; k < states_of(g_, n); ++k) want(n, k);
    if (body_count(g_, n) == 2) stack_.push_back(g_.result(first_body(g_, n) + 1, 0));
  }
  constexpr void want(int region, int number) {
    number = first_equal(region, number);
    const int first = first_body(g_, region), count = g_.is(region, op_role::loop) ? 1 : body_count(g_, region);
    for (int b = first; b < first + count; ++b) {
      wanted_[b][number] = 1;
      stack_.push_back(g_.result(b, number));
    }
  }
  /// The first value of a region that is the same as that one, other than the states of a loop.
  constexpr int first_equal(int region, int number) const {
    const bool loop = g_.is(region, op_role::loop);
    const int first = first_body(g_, region), last = first + (loop ? 1 : body_count(g_, region));
    for (int k = loop ? states_of(g_, region) : 0; k < number; ++k) {
      bool equal = true;
      for (int b = first; b < last; ++b) equal = equal && g_.result(b, k) == g_.result(b, number);
      if (equal) return k;
    }
    return number;
  }

  /// Per operand of a region whether it is kept, as its new number; -1 where it is not.
  constexpr vector<int> new_numbers(int region) const {
    vector<int> number(g_[region].count, -1);
    const int given = g_.is(region, op_role::recompute) ? 0 : given_operands(g_, region);
    for (int k = 0; k < given; ++k) number[k] = 0;
    for (int b = 0; b < body_count(g_, region); ++b) {
      const vector<int>& of = parameters_[first_body(g_, region) + b];
      for (int i = 0; i < of.size(); ++i)
        if (live_[of[i]] != 0) number[static_cast<int>(g_.word(of[i], 1))] = 0;
    }
    int next = 0;
    for (int k = 0; k < number.size(); ++k)
      if (number[k] == 0) number[k] = next++;
    return number;
  }
  constexpr graph rebuilt() {
    graph out;
    out.adopt(g_);
    vector<vector<int>> numbers(g_.size());
    vector<int> node_of(g_.size(), -1), in;
    for (int n = 0; n < g_.size(); ++n)
      if (live_[n] != 0 && is_region(g_, n)) numbers[n] = new_numbers(n);
    for (int n = 0; n < g_.size(); ++n) {
      if (live_[n] == 0) continue;
      in.clear();
      const bool region = is_region(g_, n);
      for (int k = 0; k < g_[n].count; ++k)
        if (!region || numbers[n][k] >= 0) in.push_back(node_of[g_.operand(n, k)]);
      candidate c = out.copy_of(g_, n, in.data());
      c.count = in.size();
      if (g_.is(n, op_role::parameter)) {
        c.first_word = out.push_words(words(0, numbers[region_of_[g_[n].body]][static_cast<int>(g_.word(n, 1))]));
      } else if (g_.is(n, op_role::result) && is_region(g_, g_.operand(n, 0))) {
        const vector<char>& wanted = wanted_[first_body(g_, g_.operand(n, 0))];
        const int which = first_equal(g_.operand(n, 0), static_cast<int>(g_.word(n, 0)));
        vector<int>& made = made_[g_.operand(n, 0)];
        made.resize(wanted.size(), -1);
        if (made[which] >= 0) {
          node_of[n] = made[which];
          continue;
        }
        made[which] = out.size();
        int number = 0;
        for (int k = 0; k < which; ++k) number += wanted[k];
        c.first_word = out.push_words(words(number));
      } else if (g_.is(n, op_role::recompute)) {
        c.first_word = out.push_words(words(g_.word(n, 0), c.count));
      }
      node_of[n] = out.push(c);
    }
    out.take_fetches(g_, node_of.data());
    for (int b = 0; b < g_.bodies.size(); ++b) {
      out.add_bodies(b == 0 ? 0 : 1);
      vector<int> gives;
      for (int k = 0; k < g_.result_count(b) && region_of_[b] >= 0 && live_[region_of_[b]] != 0; ++k) {
        const bool is_condition = b != first_body(g_, region_of_[b]) && g_.is(region_of_[b], op_role::loop);
        if (is_condition || wanted_[b][k] != 0) gives.push_back(node_of[g_.result(b, k)]);
      }
      if (b > 0) out.set_results(b, gives);
    }
    return out;
  }

  const graph& g_;
  vector<char> live_;
  vector<vector<char>> wanted_;     ///< per body, per result
  vector<vector<int>> parameters_;  ///< per body
  vector<int> region_of_;           ///< per body
  vector<vector<int>> made_;        ///< per region, per value: the node that it is in the new graph
  vector<int> stack_;
};

}  // namespace detail

constexpr graph prune_regions(const graph& g) {
  detail::region_pruner pruner(g);
  return pruner.run();
}

}  // namespace etch
