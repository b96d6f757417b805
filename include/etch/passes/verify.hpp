// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/verify.hpp>
#include <etch/graph/levels.hpp>
#include <etch/passes/bodies.hpp>

/// What each pass promises of its result, beyond its being a graph.
namespace etch {

/// The passes in their order; what one promises, all after it keep, unless it is said otherwise.
enum class graph_stage : std::uint8_t {
  flatten,
  order_effects,  ///< effects are gone but for groups, without operands; each variable is assigned once (until parts are)
  nest_regions,   ///< the bodies of regions are graphs of their own
  gradient,       ///< no gradients are left
  tidy,           ///< every node is needed; equal nodes are one
  materialise  ///< loops and branches are calls; what kernels and assignments read lies in memory; every fetch is one kernel's result
};

namespace detail {

class stage_verifier {
 public:
  constexpr explicit stage_verifier(const graph& g) : g_(g) {}

  constexpr graph_fault run(graph_stage stage) {
    graph_fault f = in_loops();
    if (!f && stage >= graph_stage::order_effects) f = no_effects(stage);
    if (!f && stage >= graph_stage::gradient) f = no_gradients();
    if (!f && stage >= graph_stage::tidy) f = needed();
    if (!f && stage == graph_stage::tidy) f = no_twins();
    if (!f && stage >= graph_stage::materialise) f = no_regions();
    if (!f && stage >= graph_stage::materialise) f = in_memory();
    return f;
  }

 private:
  constexpr graph_fault in_loops() const {
    if (!g_.bodies.empty()) return {};
    vector<std::uint64_t> levels;
    for (int n = 0; n < g_.size(); ++n) levels.push_back(free_levels(g_, n, levels));
    for (int i = 0; i < g_.fetches.size(); ++i)
      if (levels[g_.fetches[i]] != 0) return {graph_invariant::parameters_stay_in_their_loops, g_.fetches[i]};
    for (int i = 0; i < g_.assignments.size(); ++i)
      if (levels[g_.assignments[i].value] != 0) return {graph_invariant::parameters_stay_in_their_loops, g_.assignments[i].value};
    return {};
  }
  constexpr graph_fault no_regions() const {
    for (int n = 0; n < g_.size(); ++n) {
      const op_role role = g_[n].op->role;
      if (has_sub_graphs(role) || role == op_role::stack || role == op_role::parameter)
        return {graph_invariant::no_region_is_left, n};
    }
    return {};
  }
  constexpr graph_fault no_gradients() const {
    for (int n = 0; n < g_.size(); ++n)
      if (g_[n].op->kind == op_kind::meta) return {graph_invariant::no_gradient_is_left, n};
    return {};
  }
  constexpr graph_fault needed() const {
    vector<char> live(g_.size(), 0);
    vector<int> stack;
    for (int i = 0; i < g_.fetches.size(); ++i) stack.push_back(g_.fetches[i]);
    for (int i = 0; i < g_.assignments.size(); ++i) {
      stack.push_back(g_.assignments[i].variable);
      stack.push_back(g_.assignments[i].value);
    }
    while (!stack.empty()) {
      const int n = stack.back();
      stack.pop_back();
      if (live[n] != 0) continue;
      live[n] = 1;
      for (int k = 0; k < g_[n].count; ++k) stack.push_back(g_.operand(n, k));
      for (int b = 0; !g_.bodies.empty() && is_region(g_, n) && b < body_count(g_, n); ++b)
        for (int k = 0; k < g_.result_count(first_body(g_, n) + b); ++k) stack.push_back(g_.result(first_body(g_, n) + b, k));
    }
    for (int n = 0; n < g_.size(); ++n)
      if (live[n] == 0) return {graph_invariant::every_node_is_needed, n};
    return {};
  }
  /// Of one op, type, words, operands (in any order where that is all the same) and slot.
  constexpr graph_fault no_twins() const {
    hash_index known;
    known.reserve(g_.size());
    for (int n = 0; n < g_.size(); ++n) {
      const node& d = g_[n];
      if (d.op->stateful) continue;
      hash_t h = d.op->id + static_cast<hash_t>(d.type) + (static_cast<hash_t>(d.body) << 32);
      for (int k = 0; k < d.word_count; ++k) h = (h ^ static_cast<hash_t>(g_.word(n, k))) * 0xd6e8feb86659fd93ull + 3;
      for (int k = 0; k < d.count; ++k) {
        const bool swapped = swaps(d) && g_.operand(n, 0) > g_.operand(n, 1);
        h = (h ^ static_cast<hash_t>(g_.operand(n, swapped ? 1 - k : k))) * 0xd6e8feb86659fd93ull + 1;
      }
      if (d.slot != nullptr || d.op->role == op_role::placeholder) h = (h ^ d.content) * 0xd6e8feb86659fd93ull;
      h ^= h >> 32;
      const int twin = known.find(h);
      if (twin >= 0 && equal(twin, n)) return {graph_invariant::equal_nodes_are_one, n};
      if (twin < 0) known.insert(h, n);
    }
    return {};
  }
  static constexpr bool swaps(const node& d) { return d.op->commutative && d.count == 2; }
  constexpr bool equal(int a, int b) const {
    const node &x = g_[a], &y = g_[b];
    if (x.body != y.body || x.op->id != y.op->id || x.type != y.type || x.count != y.count || x.word_count != y.word_count)
      return false;
    if ((x.slot != nullptr || x.op->role == op_role::placeholder) && x.content != y.content) return false;
    for (int k = 0; k < x.word_count; ++k)
      if (g_.word(a, k) != g_.word(b, k)) return false;
    bool straight = true;
    for (int k = 0; k < x.count; ++k) straight = straight && g_.operand(a, k) == g_.operand(b, k);
    return straight || (swaps(x) && g_.operand(a, 0) == g_.operand(b, 1) && g_.operand(a, 1) == g_.operand(b, 0));
  }

  constexpr graph_fault no_effects(graph_stage stage) const {
    for (int n = 0; n < g_.size(); ++n)
      if (g_[n].op->kind == op_kind::effect && (g_[n].op->role != op_role::group || g_[n].count > 0))
        return {graph_invariant::no_effect_is_left, n};
    vector<char> assigned(g_.size(), 0);
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const assignment& a = g_.assignments[i];
      if (assigned[a.variable] != 0 && (stage < graph_stage::materialise || a.word_count == 0))
        return {graph_invariant::no_effect_is_left, a.value};
      assigned[a.variable] = 1;
    }
    return {};
  }

  constexpr graph_fault in_memory() const {
    vector<char> virtual_(g_.size(), 0);  // per node: whether its elements are a constant's or an index's
    for (int n = 0; n < g_.size(); ++n) {
      const node& d = g_[n];
      const op_kind kind = d.op->kind;
      if (d.op->role == op_role::constant || d.op->role == op_role::index)
        virtual_[n] = 1;
      else if (kind == op_kind::movement)
        virtual_[n] = virtual_[g_.operand(n, 0)];
      for (int k = 0; k < d.count; ++k)
        if ((kind == op_kind::contraction || kind == op_kind::opaque || d.op->role == op_role::call) &&
            virtual_[g_.operand(n, k)] != 0)
          return {graph_invariant::operands_of_kernels_lie_in_memory, n};
    }
    for (int i = 0; i < g_.assignments.size(); ++i)
      if (virtual_[g_.assignments[i].value] != 0)
        return {graph_invariant::operands_of_kernels_lie_in_memory, g_.assignments[i].value};
    vector<char> fetched(g_.size(), 0);
    for (int i = 0; i < g_.fetches.size(); ++i) {
      const int n = g_.fetches[i];
      const op_kind kind = g_[n].op->kind;
      if (g_.type(n).type == dtype::none) continue;
      const bool computed = kind == op_kind::elementwise || kind == op_kind::reduction || kind == op_kind::scan ||
                            kind == op_kind::contraction || kind == op_kind::opaque || g_.is(n, op_role::result) ||
                            (kind == op_kind::source && g_[n].op->stateful);
      if (!computed || fetched[n] != 0) return {graph_invariant::fetches_are_computed_once, i};
      fetched[n] = 1;
    }
    return {};
  }

  const graph& g_;
};

}  // namespace detail

/// What is broken in the result of a pass.
constexpr graph_fault verify(const graph& g, graph_stage stage) {
  const graph_fault f = verify(g);
  if (f) return f;
  detail::stage_verifier v(g);
  return v.run(stage);
}

}  // namespace etch
