// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/levels.hpp>

/// Expressions to a graph: only what the fetches need, cut at what is fed.
namespace etch {

/// What a variable is in a graph: read from the session, or, where initial values are computed, its own initial value.
enum class variables { are_read, are_initial_values };

namespace detail {

class flattener {
 public:
  constexpr flattener(const hash_t* fed, int fed_count, variables mode) : mode_(mode) {
    for (int i = 0; i < fed_count; ++i) fed_.insert(fed[i], i);
  }

  /// Adds what `root` is made of, and fetches it.
  constexpr void add(const record* root) {
    visit(*resolved(unnamed(root)));
    while (!visits_.empty()) {
      started& now = visits_.back();
      if (now.left > 0)
        visit(*resolved(now.of->operands[--now.left]));
      else
        finish();
    }
    g_.fetches.push_back(operands_.back());
    operands_.clear();
  }
  constexpr graph take() {
    for (int n = 0; n < g_.size() && !calls_.empty(); ++n) levels_.push_back(free_levels(g_, n, levels_));
    for (int i = 0; i < calls_.size(); ++i) group_nodes(*calls_[i]);
    return static_cast<graph&&>(g_);
  }

 private:
  constexpr const record* resolved(const record* r) {
    if (mode_ == variables::are_initial_values)
      while (r->op->role == op_role::variable && !r->slot->orders_host) r = r->slot->initial;
    while (r->op->role == op_role::result && r->operands[0]->op->role == op_role::outline && fed_.find(r->content) < 0) {
      const record* const call = r->operands[0];
      if (call_index_.find(call->content) < 0) {
        call_index_.insert(call->content, calls_.size());
        calls_.push_back(call);
      }
      r = unnamed(call->operands[call->words[0] + r->words[0]]);
    }
    return r;
  }
  /// The nodes between the arguments and the values of a function's call, as far as they depend on arguments. A call in a call is part of
  /// the outer one, which is found first; one in the steps of a loop is one of that loop's graph.
  constexpr void group_nodes(const record& call) {
    const int arguments = static_cast<int>(call.words[0]);
    vector<char> inside(g_.size(), 0), depends(g_.size(), 0);
    vector<int> stack;
    for (int k = 0; k < arguments; ++k) {
      const int n = index_.find(resolved(unnamed(call.operands[k]))->content);
      if (n >= 0) depends[n] = 2;
    }
    for (int k = arguments; k < call.count; ++k) {
      const int n = index_.find(resolved(unnamed(call.operands[k]))->content);
      if (n >= 0) stack.push_back(n);
    }
    while (!stack.empty()) {
      const int n = stack.back();
      stack.pop_back();
      if (inside[n] != 0 || depends[n] == 2) continue;
      inside[n] = 1;
      for (int k = 0; k < g_[n].count; ++k) stack.push_back(g_.operand(n, k));
    }
    const int group = ++g_.groups;
    for (int n = 0; n < g_.size(); ++n) {
      if (inside[n] == 0) continue;
      for (int k = 0; k < g_[n].count; ++k)
        if (depends[g_.operand(n, k)] != 0) depends[n] = 1;
      if (depends[n] != 0 && (g_[n].group == 0 || levels_[n] != 0)) g_.nodes[n].group = group;
    }
  }
  /// Of a record whose operands are visited, the last one first, and how many are left.
  struct started {
    const record* of = nullptr;
    int left = 0;
  };
  constexpr void visit(const record& r) {
    const int known = index_.find(r.content);
    if (known >= 0)
      operands_.push_back(known);
    else if (fed_.find(r.content) >= 0)
      keep(r, g_.push({&info_of<placeholder_op>, nullptr, 0, type_of(r), 0, 0, r.slot, r.content}));
    else
      visits_.push_back({&r, r.count});
  }
  constexpr void finish() {
    const record& r = *visits_.back().of;
    visits_.pop_back();
    in_.clear();
    for (int k = 0; k < r.count; ++k) {
      in_.push_back(operands_.back());
      operands_.pop_back();
    }
    // What has another's shape needs no element of that.
    if (r.op->role == op_role::alike) return keep(r, in_[0]);
    const int type = type_of(r);
    keep(r, g_.push({r.op, in_.data(), r.count, type, words_of(r), r.word_count, r.slot, r.content}));
  }
  /// The node is an operand of what is being visited.
  constexpr void keep(const record& r, int node) {
    index_.insert(r.content, node);
    operands_.push_back(node);
  }
  /// Shapes are said once for each type of expression.
  constexpr int type_of(const record& r) {
    const int known = type_index_.find(r.type_hash);
    if (known >= 0) return known;
    const int type = g_.type_id(r.shape(g_.extents, r.type));
    type_index_.insert(r.type_hash, type);
    return type;
  }
  constexpr int words_of(const record& r) {
    const int first = g_.pool.size();
    g_.pool.append(r.words, r.word_count);
    return first;
  }

  graph g_;
  variables mode_;
  hash_index index_, fed_, type_index_, call_index_;
  vector<const record*> calls_;   ///< of functions
  vector<std::uint64_t> levels_;  ///< per node, where there are calls
  vector<started> visits_;
  vector<int> operands_, in_;
};

}  // namespace detail

/// The graph of some expressions. A node whose content is among `fed` is a placeholder, whatever it was; what lies behind
/// it is not visited.
constexpr graph flatten(const record* const* fetches, int fetch_count, const hash_t* fed, int fed_count,
                        variables mode = variables::are_read) {
  detail::flattener f(fed, fed_count, mode);
  for (int i = 0; i < fetch_count; ++i) f.add(fetches[i]);
  return f.take();
}

}  // namespace etch
