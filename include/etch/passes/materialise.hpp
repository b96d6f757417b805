// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/fold_constants.hpp>
#include <etch/passes/views.hpp>

/// Inserts the copies without which a kernel or a caller would have no memory to read.
namespace etch {

/// x, in memory of its own. Only passes make it.
struct copy_of : elementwise<copy_of, 1> {
  static constexpr const char* name = "copy";
  static constexpr dtype_set accepts = dtype_set::any;
  static constexpr bool foldable = false;
  static constexpr int cost = 0;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return x;
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy;
  }
};

namespace detail {
/// A node that has no memory wherever it is read: a constant, an index, a size, or a movement of one.
constexpr bool without_memory(const graph& g, int n) {
  while (g[n].op->kind == op_kind::movement) n = g.operand(n, 0);
  return g.is(n, info_of<struct constant>) || g.is(n, info_of<iota>);
}
constexpr int push_copy(graph& g, int n) {
  const tensor_type type = g[n].type;
  return g.push(info_of<copy_of>, words(), type, &n, 1);
}
}  // namespace detail

namespace detail {
/// What effects do to a variable; found before any node is copied.
struct variable_use {
  bool assigned = false;
  bool read_before = false;  ///< by a node that means the value before the run's assignments
  bool read_after = false;   ///< through `after`, by one that means the new value
};
constexpr vector<variable_use> variable_uses(const graph& g) {
  vector<variable_use> uses(g.size());
  for (int i = 0; i < g.size(); ++i)
    for (int k = 0; k < g[i].count; ++k) {
      variable_use& use = uses[g.operand(i, k)];
      if (k == 0 && g.is(i, info_of<struct assign>))
        use.assigned = true;
      else if (k == 0 && g.is(i, info_of<struct after>))
        use.read_after = true;
      else
        use.read_before = true;
    }
  for (int i = 0; i < g.fetches.size(); ++i) uses[g.fetches[i]].read_before = true;
  return uses;
}
/// The node whose elements `n` has, in other places.
constexpr int moved_from(const graph& g, int n) {
  while (g[n].op->kind == op_kind::movement) n = g.operand(n, 0);
  return n;
}
}  // namespace detail

/// Contractions, opaque ops and assignments get operands in memory; each fetch becomes a node that some kernel writes and
/// that is fetched once. Variables whose memory is overwritten while their old value is wanted are copied.
constexpr graph materialise(const graph& g) {
  graph out;
  out.extents = g.extents;
  const vector<detail::variable_use> uses = detail::variable_uses(g);
  vector<int> map(g.size(), -1), slot(g.size(), -1);
  vector<char> assigned;  // per node of `out`: a variable that is assigned
  vector<int> in;
  for (int i = 0; i < g.size(); ++i) {
    const node& n = g[i];
    const op_kind kind = n.op->kind;
    const bool needs_memory =
        kind == op_kind::contraction || kind == op_kind::opaque || g.is(i, info_of<struct assign>);
    in.clear();
    for (int k = 0; k < n.count; ++k) {
      const bool is_slot = k == 0 && (g.is(i, info_of<struct assign>) || g.is(i, info_of<struct after>));
      const int o = is_slot ? slot[g.operand(i, k)] : map[g.operand(i, k)];
      // What is assigned may be a view of the variable itself, or another variable that is assigned as well: copying it
      // when the assignment comes would read what has been overwritten.
      const int root = detail::moved_from(out, o);
      const bool overwritten = g.is(i, info_of<struct assign>) && k == 1 &&
                               (root != o || (root < assigned.size() && assigned[root] != 0));
      in.push_back(needs_memory && (overwritten || detail::without_memory(out, o)) ? detail::push_copy(out, o) : o);
    }
    slot[i] = map[i] = out.push(*n.op, g.words_of(i), n.type, in.data(), n.count, n.slot, n.content);
    if (!g.is(i, info_of<detail::variable_op>)) continue;
    assigned.resize(out.size(), 0);
    assigned[slot[i]] = uses[i].assigned;
    // A node that needs both the old and the new value could run neither before nor after the assignment.
    if (uses[i].read_before && uses[i].read_after) map[i] = detail::push_copy(out, slot[i]);
  }
  for (int i = 0; i < g.fetches.size(); ++i) {
    int f = map[g.fetches[i]];
    if (out[f].type.type == dtype::none) {
      out.fetches.push_back(f);
      continue;
    }
    const op_kind kind = out[f].op->kind;
    bool direct = kind == op_kind::elementwise || kind == op_kind::reduction || kind == op_kind::contraction ||
                  kind == op_kind::opaque || (kind == op_kind::source && out[f].op->stateful);
    for (int j = 0; j < out.fetches.size(); ++j) direct = direct && out.fetches[j] != f;
    out.fetches.push_back(direct ? f : detail::push_copy(out, f));
  }
  return out;
}

}  // namespace etch
