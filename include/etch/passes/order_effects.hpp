// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/assigned_part.hpp>
#include <etch/passes/dead_nodes.hpp>

/// What a run does to variables, as operands instead of an order of words: an assignment's first operand is what the variable
/// was before it, and who reads a variable `after` an assignment reads that assignment's value.
namespace etch {

/// Why the effects of a run have no order.
struct effect_failure {
  enum class kind : std::uint8_t { none, two_assignments, assignment_of_a_fed_variable };
  kind what = kind::none;
  hash_t variable = 0;  ///< its content
  constexpr explicit operator bool() const { return what != kind::none; }
};

namespace detail {

class effect_order {
 public:
  constexpr explicit effect_order(const graph& g) : g_(g), seen_(g.size(), 0) {}

  constexpr graph run(effect_failure& failure) {
    find_assignments(failure);
    graph out;
    if (failure) return out;
    replacement_.resize(g_.size(), -1);
    rebuild(g_, out, [&](graph& to, int i, const int* in) { return node(to, i, in); });
    return out;
  }

 private:
  struct assignment {
    int node = -1, variable = -1, before = -1;  ///< before: the assignment of the same variable that this one follows, or -1
  };

  /// The variable whose value a node is, by reading or after an assignment; -1 where it is none.
  constexpr int variable_of(int n) const {
    while (g_.is(n, op_role::assign) || g_.is(n, op_role::after)) n = g_.operand(n, 0);
    return g_.is(n, op_role::variable) ? n : -1;
  }

  /// The last node that n is made of (or n) for which `found` holds; -1 where there is none.
  template <class Found>
  constexpr int visit(int n, const Found& found) {
    ++epoch_;
    int best = -1;
    stack_.clear();
    stack_.push_back(n);
    while (!stack_.empty()) {
      const int i = stack_.back();
      stack_.pop_back();
      if (seen_[i] == epoch_ || i <= best) continue;
      seen_[i] = epoch_;
      if (found(i)) {
        best = i;
        continue;
      }
      for (int k = 0; k < g_[i].count; ++k) stack_.push_back(g_.operand(i, k));
    }
    return best;
  }

  /// Whether n is made of m, or comes after it.
  constexpr bool follows(int n, int m) {
    for (int k = 0; k < g_[n].count; ++k)
      if (visit(g_.operand(n, k), [&](int i) { return i == m; }) >= 0) return true;
    return false;
  }
  constexpr void find_assignments(effect_failure& failure) {
    vector<int> last(g_.size(), -1);  // per variable: its last assignment so far
    for (int n = 0; n < g_.size(); ++n) {
      if (!g_.is(n, op_role::assign)) continue;
      const int variable = variable_of(n);
      if (variable < 0) {
        int fed = n;
        while (g_[fed].count > 0) fed = g_.operand(fed, 0);
        failure = {effect_failure::kind::assignment_of_a_fed_variable, g_[fed].content};
        return;
      }
      const int before = last[variable] < 0 ? -1 : assignments_[last[variable]].node;
      if (before >= 0 && !follows(n, before)) {
        failure = {effect_failure::kind::two_assignments, g_[variable].content};
        return;
      }
      last[variable] = assignments_.size();
      assignments_.push_back({n, variable, before});
    }
  }

  constexpr int node(graph& out, int i, const int* in) {
    if (g_.is(i, op_role::after)) return replacement_[i] = after(i, in);
    if (g_.is(i, op_role::group)) {
      candidate c = out.copy_of(g_, i, in);
      c.count = 0;
      return replacement_[i] = out.push(c);
    }
    if (!g_.is(i, op_role::assign)) return replacement_[i] = out.push(out.copy_of(g_, i, in));
    const assignment& a = assignments_[next_++];
    int operands[] = {replacement_[a.before >= 0 ? a.before : a.variable], in[1]};
    candidate c = out.copy_of(g_, i, operands);
    if (c.word_count > 0) {
      operands[1] = out.push({&info_of<with_part>, operands, 2, c.type, c.first_word, c.word_count, nullptr, 0});
      c.word_count = 0;
    }
    return replacement_[i] = out.push(c);
  }
  constexpr int after(int i, const int* in) {
    const int variable = variable_of(i);
    if (variable < 0) return in[0];
    int last = -1;
    for (int k = 0; k < g_[i].count; ++k) {
      const int n = visit(g_.operand(i, k), [&](int m) { return g_.is(m, op_role::assign) && variable_of(m) == variable; });
      if (n > last) last = n;
    }
    return last < 0 ? in[0] : replacement_[last];
  }

  const graph& g_;
  vector<assignment> assignments_;
  vector<int> replacement_;
  vector<int> seen_, stack_;
  int epoch_ = 0;
  int next_ = 0;
};

}  // namespace detail

/// The assignment of a part becomes that of the whole, `with_part`.
/// `%2 = assign %v %1; %3 = after %v %2; %4 = sin %3` becomes `%2 = assign %v %1; %3 = sin %2`. Groups lose their operands:
/// the assignments that are there are those that the run makes.
constexpr graph order_effects(const graph& g, effect_failure& failure) {
  bool any = false;
  for (int i = 0; i < g.size(); ++i) any = any || g[i].op->kind == op_kind::effect;
  if (!any) return g;
  detail::effect_order order(g);
  const graph ordered = order.run(failure);
  return dead_nodes(ordered, live_roots::fetches_and_assignments);
}

}  // namespace etch
