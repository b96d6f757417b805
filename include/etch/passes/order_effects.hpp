// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/levels.hpp>
#include <etch/ops/effects.hpp>
#include <etch/passes/common_subexpressions.hpp>

/// What a run does to variables, as values instead of an order of words: who reads a variable `after` an assignment reads the node
/// that was assigned, and what a run leaves behind is a list beside the nodes.
namespace etch {

/// Why the effects of a run have no order.
struct effect_failure {
  enum class kind : std::uint8_t { none, two_assignments, assignment_of_a_fed_variable };
  kind what = kind::none;
  hash_t variable = 0;  ///< its content
  constexpr explicit operator bool() const { return what != kind::none; }
};

namespace detail {

/// Sets of effects, which have numbers; equal sets are one. The set 0 is empty.
class effect_sets {
 public:
  constexpr effect_sets() { sets_.push_back({0, 0}); }

  constexpr int size(int set) const { return sets_[set].count; }
  constexpr int at(int set, int k) const { return members_[sets_[set].first + k]; }

  constexpr int merge(int a, int b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    const int first = members_.size();
    int i = 0, j = 0;
    while (i < size(a) || j < size(b)) {
      const bool from_a = j == size(b) || (i < size(a) && at(a, i) <= at(b, j));
      const int member = from_a ? at(a, i) : at(b, j);
      if (i < size(a) && at(a, i) == member) ++i;
      if (j < size(b) && at(b, j) == member) ++j;
      members_.push_back(member);
    }
    return keep(first);
  }
  /// Of many at once, which one after another would be copied as often: groups assign hundreds of variables.
  constexpr int merge(const int* sets, int count, int effects) {
    vector<char> in(effects, 0);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < size(sets[i]); ++k) in[at(sets[i], k)] = 1;
    const int first = members_.size();
    for (int e = 0; e < effects; ++e)
      if (in[e] != 0) members_.push_back(e);
    return keep(first);
  }
  /// Of one effect.
  constexpr int of(int effect) {
    members_.push_back(effect);
    return keep(members_.size() - 1);
  }

 private:
  struct range {
    int first = 0, count = 0;
  };
  /// The set of the members from `first` on.
  constexpr int keep(int first) {
    const range made = {first, members_.size() - first};
    if (made.count == 0) return 0;
    hash_t h = static_cast<hash_t>(made.count);
    for (int k = first; k < members_.size(); ++k) h = (h ^ static_cast<hash_t>(members_[k])) * 0x9e3779b97f4a7c15ull + 1;
    h ^= h >> 29;
    const int known = index_.find(h);
    if (known >= 0 && is(known, made)) {
      members_.resize(first);
      return known;
    }
    if (known < 0) index_.insert(h, sets_.size());
    sets_.push_back(made);
    return sets_.size() - 1;
  }
  constexpr bool is(int set, const range& r) const {
    bool same = sets_[set].count == r.count;
    for (int k = 0; same && k < r.count; ++k) same = at(set, k) == members_[r.first + k];
    return same;
  }

  vector<range> sets_;
  vector<int> members_;
  hash_index index_;
};

/// Walks back from the fetches. A node stands for as many values as there are states in which it is asked for: a state is the set
/// of assignments that have been made by then.
class effect_order {
 public:
  constexpr explicit effect_order(const graph& g)
      : g_(g), reads_state_(g.size(), 0), first_(g.size(), -1), beside_(g.size(), -1), in_(g.most_operands()) {}

  constexpr graph run(effect_failure& failure) {
    out_.adopt(g_);
    const int size = g_.size();
    index_.reserve(size);
    instances_.reserve(size);
    for (int n = 0; n < size; ++n) {
      const node& d = g_[n];
      if (d.slot != nullptr && d.slot->orders_host) has_host_ = true;
      if (d.op->kind != op_kind::effect) continue;
      if (d.op->role == op_role::assign && !orders_host(g_.operand(n, 0))) reads_state_[g_.operand(n, 0)] = 1;
      // In another state a node may be what it was.
      if (d.op->role == op_role::after) out_.rule = &rules::common_subexpressions;
    }
    char* const reads_state = reads_state_.data();
    for (int n = 0; n < size; ++n) {
      const int* const in = g_.operands_of(n);
      for (int k = 0, count = g_[n].count; k < count && reads_state[n] == 0; ++k) reads_state[n] = reads_state[in[k]];
    }
    for (int i = 0; i < g_.fetches.size(); ++i) {
      const int n = evaluate(g_.fetches[i]);
      out_.fetches.push_back(n >= 0 ? n : out_.push(info_of<struct group>, words(), tensor_type{}, nullptr, 0));
    }
    for (int e = 0; e < effects_.size(); ++e) {
      const effect& last = effects_[e];
      if (last.next < 0 && last.value != last.variable && out_.is(last.variable, op_role::variable))
        out_.assignments.push_back({last.variable, last.value, 0, 0});
    }
    out_.rule = nullptr;
    failure = failure_;
    return static_cast<graph&&>(out_);
  }

 private:
  /// An assignment that the run makes.
  struct effect {
    int node = -1;                  ///< of the graph as it was
    int variable = -1, value = -1;  ///< nodes of the new graph
    int next = -1;                  ///< the effect that assigns the variable after this one
  };
  /// A node in a state: the new node, or -1 where it has no value, and what it is made of or comes after, beside the state.
  struct instance {
    int node = -1, made = 0;
  };
  /// A node whose operands are asked for.
  struct visit {
    int node = -1, asked = 0;  ///< in which state
    int asked_for = 0;         ///< how many operands have been
    int state = 0;             ///< of the operands
    int made = 0;              ///< by the operands so far
  };

  constexpr int evaluate(int fetch) {
    const node* const nodes = g_.nodes.data();
    const int* const operands = g_.operands.data();
    ask(fetch, 0);
    while (!visits_.empty()) {
      visit& v = visits_.back();
      const node& d = nodes[v.node];
      if (v.asked_for == d.count) {
        finish(d);
        continue;
      }
      const int k = (v.asked_for++ + first_asked(d)) % d.count;
      // Where nothing has been made by then, there is nothing to see.
      if (v.made != 0 && sees_what_others_leave(v.node, k)) v.state = sets_.merge(v.state, v.made);
      ask(operands[d.first_operand + k], v.state);
    }
    const int found = results_.back().node;
    results_.pop_back();
    return found;
  }
  /// What orders the host's steps is read when all else is there: each follows the one before it, whatever asks for them.
  constexpr bool orders_host(int n) const { return has_host_ && g_[n].slot != nullptr && g_[n].slot->orders_host; }
  constexpr int last_of_host(int n) {
    if (last_of_host_ >= 0) return effects_[last_of_host_].value;
    if (host_ < 0) host_ = out_.push(out_.copy_of(g_, n, nullptr));
    return host_;
  }
  /// What comes after others; what is assigned to; the sub-graphs of a region, after what it is given.
  constexpr bool sees_what_others_leave(int n, int k) const {
    switch (g_[n].op->role) {
      case op_role::after:
      case op_role::assign: return k == 0;
      case op_role::loop:
      case op_role::branch:
      case op_role::recompute: return k == given_operands(g_, n);
      case op_role::stack: return k == 1;
      default: return false;
    }
  }
  /// The operand that is asked for first; the others follow in order. What comes after the others is asked for last.
  static constexpr int first_asked(const node& d) { return d.op->role == op_role::after || d.op->role == op_role::assign ? 1 : 0; }

  constexpr void ask(int n, int state) {
    if (has_host_ && orders_host(n)) return results_.push_back({-1, 0});
    const hash_t key = key_of(n, state);
    const int known = index_.find(key);
    if (known >= 0) return answer(instances_[known]);
    if (state != 0) {
      const node& d = g_[n];
      if (d.op->role == op_role::beside && find(state, g_.operand(n, 1)) >= 0)
        return keep(key, {beside_[n], 0});  // the region has run by then
      if (const int last = d.count == 0 || d.op->role == op_role::assign ? find(state, n) : -1; last >= 0)
        return keep(key, {effects_[last].value, 0});
    }
    visits_.push_back({n, state, 0, state, 0});
  }
  constexpr void answer(const instance& i) {
    results_.push_back(i);
    if (i.made == 0 || visits_.empty()) return;
    visit& v = visits_.back();
    if (!g_.is(v.node, op_role::group)) v.made = sets_.merge(v.made, i.made);
  }
  constexpr void keep(hash_t key, const instance& i) {
    index_.insert(key, instances_.size());
    instances_.push_back(i);
    answer(i);
  }
  constexpr hash_t key_of(int n, int state) const {
    if (state != 0 && reads_state_[n] == 0) state = 0;
    return (static_cast<hash_t>(state) << 32 | static_cast<hash_t>(n)) * 0x9e3779b97f4a7c15ull;
  }

  /// Of the last visit, to node d, whose operands are there.
  constexpr void finish(const node& d) {
    const visit v = visits_.back();
    const int n = v.node, count = d.count;
    const op_role role = d.op->role;
    visits_.pop_back();
    int* const in = in_.data();
    const int first = first_asked(d);
    const instance* const results = results_.data() + results_.size() - count;
    for (int place = 0; place < count; ++place) in[(place + first) % count] = results[place].node;
    if (role == op_role::group) {
      made_.resize(count);
      for (int place = 0; place < count; ++place) made_[place] = results[place].made;
    }
    for (int place = 0; place < count; ++place) results_.pop_back();
    for (int k = 0; has_host_ && k < count; ++k)
      if (const int o = g_.operand(n, k); orders_host(o)) in[k] = last_of_host(o);
    const hash_t key = key_of(n, v.asked);
    if (role == op_role::assign)
      assign(v);
    else if (role == op_role::group)
      keep(key, {-1, sets_.merge(made_.data(), count, effects_.size())});
    else if (role == op_role::after)
      keep(key, {in[0], v.made});
    else if (role == op_role::beside)
      keep(key, {beside_[n] = in[0], v.made});
    else
      keep(key, {append(out_, out_.copy_of(g_, n, in)), v.made});
  }
  constexpr void assign(const visit& v) {
    const int variable = g_.operand(v.node, 0);
    if (!g_.is(variable, op_role::variable)) fail(effect_failure::kind::assignment_of_a_fed_variable, variable);
    int value = in_[1];
    const node& d = g_[v.node];
    if (d.word_count > 0)
      value = append(out_, {&info_of<with_part>, in_.data(), 2, d.type, d.first_word, d.word_count, nullptr, 0});
    const bool by_host = orders_host(variable);
    const int before = by_host ? last_of_host_ : find(v.state, variable);
    int& next = before >= 0 ? effects_[before].next : first_[variable];
    if (next < 0) {
      next = effects_.size();
      effects_.push_back({v.node, before >= 0 ? effects_[before].variable : in_[0], value, -1});
    } else if (effects_[next].node != v.node || effects_[next].value != value) {
      // Else it is asked for in two states, and is the same in both.
      fail(effect_failure::kind::two_assignments, variable);
    }
    const int made = before >= 0 ? effects_[before].next : first_[variable];
    if (by_host) last_of_host_ = made;
    keep(key_of(v.node, v.asked), {value, sets_.merge(v.made, sets_.of(made))});
  }
  constexpr void fail(effect_failure::kind what, int variable) {
    if (!failure_) failure_ = {what, g_[variable].content};
  }

  /// The last effect of a state on a variable, or the one that an assignment is; -1 where there is none.
  constexpr int find(int state, int n) {
    if (state == 0) return -1;
    if (indexed_.size() <= state) indexed_.resize(state + 1, 0);
    if (indexed_[state] == 0) {
      indexed_[state] = 1;
      for (int k = sets_.size(state); k-- > 0;) {
        const int e = sets_.at(state, k);
        happened_.insert(key_of(effects_[e].node, state), e);
        happened_.insert(key_of(g_.operand(effects_[e].node, 0), state), e);
      }
    }
    return happened_.find(key_of(n, state));
  }

  const graph& g_;
  graph out_;
  effect_failure failure_;
  vector<effect> effects_;
  effect_sets sets_;
  vector<char> reads_state_;  ///< per node: whether it is made of a variable that is assigned, so may differ from state to state
  vector<int> first_;         ///< per variable: the effect that assigns it first
  vector<int> beside_;        ///< per node beside assignments: the new node
  vector<instance> instances_;
  hash_index index_;      ///< instances by node and state
  hash_index happened_;   ///< effects by state and assignment, and by state and variable, of which the last one is found
  vector<char> indexed_;  ///< per state: whether it is in `happened_`
  vector<visit> visits_;
  vector<instance> results_;
  vector<int> in_, made_;  ///< of the operands of the node that is being finished
  bool has_host_ = false;  ///< whether something orders the host's steps
  int host_ = -1;          ///< the new node of what orders the host's steps
  int last_of_host_ = -1;  ///< the effect that is the host's last step
};

}  // namespace detail

constexpr bool has_effects(const graph& g) {
  for (int i = 0; i < g.size(); ++i)
    if (g[i].op->kind == op_kind::effect) return true;
  return false;
}

/// Takes `assign`, `after` and `group` out of a graph. `%2 = assign %v %1; %3 = sin %v; %4 = after %3 %2` becomes `%2 = sin %1` and
/// the assignment of %1 to %v: what comes after an assignment is computed from the variable's new value, whatever it is made of.
/// The assignment of a part becomes that of the whole, `with_part`. A group that is fetched stays, without operands.
constexpr graph order_effects(const graph& g, effect_failure& failure) {
  if (!has_effects(g)) return g;
  detail::effect_order order(g);
  return order.run(failure);
}

}  // namespace etch
