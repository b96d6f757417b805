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

/// Contractions, opaque ops and assignments get operands in memory; each fetch becomes a node that some kernel writes and
/// that is fetched once.
constexpr graph materialise(const graph& g) {
  graph out;
  out.extents = g.extents;
  vector<int> map(g.size(), -1);
  vector<int> in;
  for (int i = 0; i < g.size(); ++i) {
    const node& n = g[i];
    const op_kind kind = n.op->kind;
    const bool needs_memory =
        kind == op_kind::contraction || kind == op_kind::opaque || g.is(i, info_of<struct assign>);
    in.clear();
    for (int k = 0; k < n.count; ++k) {
      const int o = map[g.operand(i, k)];
      // What is assigned may be a view of the variable itself: copying it in place would read what it has overwritten.
      const bool moved = g.is(i, info_of<struct assign>) && out[o].op->kind == op_kind::movement;
      in.push_back(needs_memory && (moved || detail::without_memory(out, o)) ? detail::push_copy(out, o) : o);
    }
    map[i] = out.push(*n.op, g.words_of(i), n.type, in.data(), n.count, n.slot, n.content);
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
