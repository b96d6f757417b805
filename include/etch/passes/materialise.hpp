// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>
#include <etch/ops/assigned_part.hpp>

/// Inserts the copies without which a kernel or a caller would have no memory to read.
namespace etch {

/// x, in memory of its own. Only passes make it.
struct copy_of : elementwise<copy_of, 1> {
  static constexpr const char* name = "copy";
  static constexpr op_role role = op_role::copy;
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

/// The node whose elements n has, perhaps in other places.
constexpr int origin_of(const graph& g, int n) {
  while (true) {
    if (g[n].op->kind == op_kind::movement)
      n = g.operand(n, 0);
    else if (g.is(n, op_role::assign))
      n = g.operand(n, 1);
    else
      return n;
  }
}
/// Constants and indices have no memory wherever they are read.
constexpr bool has_memory(const graph& g, int origin) { return !g.is(origin, op_role::constant) && !g.is(origin, op_role::index); }
constexpr int append_copy(graph& g, int n) { return g.push({&info_of<copy_of>, &n, 1, g[n].type, 0, 0, nullptr, 0}); }
/// Whether some kernel writes the node's elements, in row-major order.
constexpr bool is_computed(const graph& g, int n) {
  const op_kind kind = g[n].op->kind;
  return kind == op_kind::elementwise || kind == op_kind::reduction || kind == op_kind::contraction || kind == op_kind::opaque ||
         (kind == op_kind::source && g[n].op->stateful);
}

/// Per node: whether it is the `with_part` of an assignment whose value nothing reads. Such an assignment writes the part alone.
constexpr vector<char> find_assigned_parts(const graph& g) {
  vector<char> found(g.size(), 0);
  vector<int> reads(g.size(), 0);  // per node: by what comes behind it, other than as what is assigned to
  for (int i = 0; i < g.fetches.size(); ++i) ++reads[g.fetches[i]];
  for (int n = g.size(); n-- > 0;) {
    const bool assigns = g.is(n, op_role::assign);
    if (assigns && reads[n] == 0) {
      const int x = g.operand(n, 1);
      if (x == n - 1 && g.is(x, info_of<with_part>) && reads[x] == 0 && g.operand(x, 0) == g.operand(n, 0)) found[x] = 1;
    }
    for (int k = 0; k < g[n].count; ++k)
      if (k > 0 || !(assigns || found[n] != 0)) ++reads[g.operand(n, k)];
  }
  return found;
}

}  // namespace detail

/// Contractions, opaque ops and assignments get operands in memory; each fetch becomes a node that some kernel writes and
/// that is fetched once. A value that is read from a variable which the run assigns is copied before it is assigned. Where a part
/// of a variable is assigned, and nothing reads the whole after that, the part is what is assigned.
constexpr graph materialise(const graph& g) {
  vector<char> assigned(g.size(), 0);  // variables
  bool parts = false;
  for (int i = 0; i < g.size(); ++i)
    if (g.is(i, op_role::assign)) {
      int v = i;
      while (g.is(v, op_role::assign)) v = g.operand(v, 0);
      assigned[v] = 1;
      parts = parts || g.is(g.operand(i, 1), info_of<with_part>);
    }
  vector<char> is_part;
  if (parts) is_part = detail::find_assigned_parts(g);
  graph out;
  vector<char> overwritten;  // per node of `out`: such a variable
  vector<int> in;
  int value_of_part = -1;  // the last one's
  rebuild(g, out, [&](graph& to, int i, const int* operands) {
    const op_kind kind = g[i].op->kind;
    const bool assigns = g.is(i, op_role::assign);
    if (parts && is_part[i] != 0) {
      value_of_part = operands[1];
      return -1;
    }
    const int part = parts && assigns && is_part[g.operand(i, 1)] != 0 ? g.operand(i, 1) : -1;
    in.clear();
    for (int k = 0; k < g[i].count; ++k) {
      int o = part >= 0 && k == 1 ? value_of_part : operands[k];
      if (kind == op_kind::contraction || kind == op_kind::opaque || (assigns && k == 1)) {
        const int origin = detail::origin_of(to, o);
        const bool lost = assigns && origin < overwritten.size() && overwritten[origin] != 0;
        if (lost || !detail::has_memory(to, origin)) o = detail::append_copy(to, o);
      }
      in.push_back(o);
    }
    candidate c = to.copy_of(g, i, in.data());
    if (part >= 0) {
      c.first_word = g[part].first_word;
      c.word_count = g[part].word_count;
    }
    const int made = to.push(c);
    overwritten.resize(made + 1, 0);
    overwritten[made] = assigned[i];
    return made;
  });
  for (int i = 0; i < out.fetches.size(); ++i) {
    const int f = out.fetches[i];
    if (out.type(f).type == dtype::none) continue;
    bool direct = detail::is_computed(out, f);
    for (int j = 0; j < i; ++j) direct = direct && out.fetches[j] != f;
    if (!direct) out.fetches[i] = detail::append_copy(out, f);
  }
  return out;
}

}  // namespace etch
