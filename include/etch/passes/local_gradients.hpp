// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/part_of_graph.hpp>
#include <etch/passes/regions.hpp>

/// Gradients that a body asks for stay in it: what lies between y and x becomes part of the body also where it does not change from step to
/// step, or is computed outside as well, since no sweep leaves a body.
namespace etch {

namespace detail {

class gradient_localizer {
 public:
  constexpr explicit gradient_localizer(const graph& g) : g_(g), regions_(g), operand_of_(g.size(), -1) {
    for (int n = 0; n < g.size(); ++n) free_.push_back(free_levels(g, n, free_));
  }

  constexpr graph run() {
    out_.adopt(g_);
    vector<int> node_of(g_.size(), -1), in;
    for (int n = 0; n < g_.size(); ++n) {
      if (g_.is(n, op_role::gradient) && operand_of_[n] < 0) copy_path(n, node_of);
      in.clear();
      for (int k = 0; k < g_[n].count; ++k) in.push_back(node_of[g_.operand(n, k)]);
      if (g_.is(n, op_role::gradient) && operand_of_[n] != unchanged) {
        in[0] = y_of_[operand_of_[n]];
        in[1] = x_of_[operand_of_[n]];
      }
      node_of[n] = out_.push(out_.copy_of(g_, n, in.data()));
    }
    out_.take_results(g_, node_of.data());
    return static_cast<graph&&>(out_);
  }

 private:
  static constexpr int unchanged = 1 << 30;

  constexpr bool is_outside(int n) const { return free_[n] == 0 && regions_.needed(n); }
  /// For gradient node `first` and all of the same y that are of bodies, too.
  constexpr void copy_path(int first, const vector<int>& node_of) {
    const int y = g_.operand(first, 0);
    if (is_outside(first)) {
      operand_of_[first] = unchanged;
      return;
    }
    vector<int> sharing;
    for (int n = first; n < g_.size(); ++n)
      if (g_.is(n, op_role::gradient) && g_.operand(n, 0) == y && g_.operand(n, 1) < first && !is_outside(n) && operand_of_[n] < 0)
        sharing.push_back(n);
    vector<char> forward(y + 1, 0), path(y + 1, 0);
    for (int i = 0; i < sharing.size(); ++i)
      if (g_.operand(sharing[i], 1) <= y) forward[g_.operand(sharing[i], 1)] = 2;
    for (int n = 0; n <= y; ++n)
      for (int k = 0; k < g_[n].count && forward[n] == 0; ++k) forward[n] = forward[g_.operand(n, k)] != 0 ? 1 : 0;
    path[y] = 1;
    bool differs = false;
    for (int n = y; n >= 0; --n) {
      if (path[n] == 0 || forward[n] != 1) continue;
      differs = differs || free_[n] != free_[y] || (regions_.needed(n) && free_[n] == 0);
      for (int k = 0; k < g_[n].count; ++k) path[g_.operand(n, k)] = 1;
    }
    for (int i = 0; i < sharing.size(); ++i) operand_of_[sharing[i]] = differs ? x_of_.size() + i : unchanged;
    if (!differs) return;
    vector<int> copy(y + 1, -1), in;
    for (int n = 0; n <= y; ++n) {
      if (forward[n] == 2) copy[n] = local(node_of[n], free_[y] & ~free_[n]);
      if (path[n] == 0 || forward[n] != 1) continue;
      in.clear();
      for (int k = 0; k < g_[n].count; ++k) {
        const int o = g_.operand(n, k);
        in.push_back(copy[o] >= 0 ? copy[o] : node_of[o]);
      }
      copy[n] = out_.push(out_.copy_of(g_, n, in.data()));
    }
    for (int i = 0; i < sharing.size(); ++i) {
      const int x = g_.operand(sharing[i], 1);
      x_of_.push_back(x <= y ? copy[x] : node_of[x]);
      y_of_.push_back(copy[y] >= 0 ? copy[y] : node_of[y]);
    }
  }
  constexpr int local(int n, std::uint64_t levels) {
    const int word = out_.push_words(words(static_cast<std::int64_t>(levels)));
    return out_.push({&info_of<region_local>, &n, 1, out_[n].type, word, 1, nullptr, 0});
  }

  const graph& g_;
  graph out_;
  region_map regions_;
  vector<std::uint64_t> free_;  ///< per node
  vector<int> operand_of_;      ///< per node: of a gradient, where its new operands are; `unchanged`; -1: not known yet
  vector<int> x_of_, y_of_;
};

}  // namespace detail

constexpr graph with_local_gradients(const graph& g) {
  bool any = false;
  for (int n = 0; n < g.size(); ++n) any = any || g.is(n, op_role::gradient);
  if (!any) return g;
  detail::gradient_localizer localizer(g);
  return localizer.run();
}

}  // namespace etch
