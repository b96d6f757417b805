// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/rewrite.hpp>
#include <etch/ops/assigned_part.hpp>
#include <etch/ops/joining.hpp>
#include <etch/passes/dead_nodes.hpp>

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
  while (g[n].op->kind == op_kind::movement) n = g.operand(n, 0);
  return n;
}
/// Constants and indices have no memory wherever they are read.
constexpr bool has_memory(const graph& g, int origin) { return !g.is(origin, op_role::constant) && !g.is(origin, op_role::index); }
constexpr int append_copy(graph& g, int n) { return g.push({&info_of<copy_of>, &n, 1, g[n].type, 0, 0, nullptr, 0}); }
/// Whether some kernel writes the node's elements, in row-major order.
constexpr bool is_computed(const graph& g, int n) {
  const op_kind kind = g[n].op->kind;
  return kind == op_kind::elementwise || kind == op_kind::reduction || kind == op_kind::scan || kind == op_kind::contraction ||
         kind == op_kind::opaque || g.is(n, op_role::result) || (kind == op_kind::source && g[n].op->stateful);
}
/// Whether what a region is given lies in row-major order, as far as ops tell.
constexpr bool is_row_major(const graph& g, int n) {
  while (g.is(n, info_of<struct reshape>)) n = g.operand(n, 0);
  return g[n].op->kind != op_kind::movement;
}

/// Per node: by how many operands, fetches and assignments it is used.
constexpr vector<int> count_uses(const graph& g) {
  vector<int> uses = g.count_reads();
  for (int i = 0; i < g.assignments.size(); ++i) ++uses[g.assignments[i].value];
  return uses;
}

/// The parts of an assignment of `concat`, where nothing else needs it and extents along its axis are numbers: whether there are some.
constexpr bool add_joined_parts(graph& g, const vector<int>& uses, const assignment& whole, vector<assignment>& to) {
  const int joined = whole.value;
  if (!g.is(joined, info_of<struct concat>) || uses[joined] != 1) return false;
  const int axis = static_cast<int>(g.word(joined, 0)), rank = g.type(joined).rank;
  for (int k = 0; k < g[joined].count; ++k)
    if (!is_static(g.type(g.operand(joined, k)).extents[axis])) return false;
  std::int64_t first = whole.word_count == 0 ? 0 : g.pool[whole.first_word + 3 * axis];
  for (int k = 0; k < g[joined].count; ++k) {
    assignment part = whole;
    part.value = g.operand(joined, k);
    part.word_count = 3 * rank;
    words w;
    for (int i = 0; i < rank; ++i)
      for (int j = 0; j < 3; ++j)
        w.push_back(whole.word_count > 0 ? g.pool[whole.first_word + 3 * i + j] : j == 0 ? 0 : j == 1 ? to_end : 1);
    w.at[3 * axis] = first;
    w.at[3 * axis + 1] = first += g.type(part.value).extents[axis];
    part.first_word = g.push_words(w);
    if (!add_joined_parts(g, uses, part, to)) to.push_back(part);
  }
  return true;
}
/// The largest first: it may be computed in place, behind what others read.
constexpr void append_by_size(const graph& g, const vector<assignment>& parts, vector<assignment>& to) {
  const auto count = [&](const assignment& a) {
    std::int64_t n = 1;
    for (int i = 0; i < g.type(a.value).rank; ++i) {
      const extent_value e = g.type(a.value).extents[i];
      if (is_static(e)) n *= e;
    }
    return n;
  };
  int largest = 0;
  for (int k = 1; k < parts.size(); ++k)
    if (count(parts[k]) > count(parts[largest])) largest = k;
  to.push_back(parts[largest]);
  for (int k = 0; k < parts.size(); ++k)
    if (k != largest) to.push_back(parts[k]);
}

/// An assignment of `x with_part %v %1` where nothing else needs x is one of that part; of several parts, one after another. So is one of a
/// `concat`.
constexpr vector<assignment> split_assignments(graph& g, bool& has_parts) {
  vector<assignment> split;
  vector<int> uses;  // per node
  for (int i = 0; i < g.assignments.size(); ++i) {
    assignment whole = g.assignments[i];
    if (g.is(whole.value, info_of<struct concat>)) {
      if (uses.empty()) uses = count_uses(g);
      vector<assignment> parts;
      if (add_joined_parts(g, uses, whole, parts)) {
        append_by_size(g, parts, split);
        has_parts = true;
        continue;
      }
    }
    if (!g.is(whole.value, info_of<with_part>)) {
      split.push_back(whole);
      continue;
    }
    if (uses.empty()) uses = count_uses(g);
    vector<assignment> parts;
    while (whole.value != whole.variable && g.is(whole.value, info_of<with_part>) && uses[whole.value] == 1) {
      const node& d = g[whole.value];
      parts.push_back({whole.variable, g.operand(whole.value, 1), d.first_word, d.word_count});
      whole.value = g.operand(whole.value, 0);
    }
    if (whole.value != whole.variable) split.push_back(whole);
    for (int k = parts.size(); k-- > 0;) split.push_back(parts[k]);
    has_parts = has_parts || !parts.empty();
  }
  return split;
}
}  // namespace detail

/// Contractions, opaque ops, calls and assignments get operands in memory; each fetch becomes a node that some kernel writes and
/// that is fetched once. A value that is read from a variable which the run assigns is copied before it is assigned. Where a part
/// of a variable is assigned, and nothing reads the whole after that, the part is what is assigned.
constexpr graph materialise(const graph& g) {
  graph out;
  rebuild(g, out, [&](graph& to, int i, int* in) {
    const op_kind kind = g[i].op->kind;
    if (kind == op_kind::contraction || kind == op_kind::opaque)
      for (int k = 0; k < g[i].count; ++k)
        if (!detail::has_memory(to, detail::origin_of(to, in[k]))) in[k] = detail::append_copy(to, in[k]);
    if (g.is(i, op_role::call))
      for (int k = 0; k < g[i].count; ++k)
        if (!detail::has_memory(to, detail::origin_of(to, in[k])) || !detail::is_row_major(to, in[k]))
          in[k] = detail::append_copy(to, in[k]);
    return to.push(to.copy_of(g, i, in));
  });
  bool parts = false;
  out.assignments = detail::split_assignments(out, parts);
  vector<char> overwritten;  // per node: a variable that is assigned
  if (!out.assignments.empty()) overwritten.resize(out.size(), 0);
  for (int i = 0; i < out.assignments.size(); ++i) overwritten[out.assignments[i].variable] = 1;
  for (int i = 0; i < out.assignments.size(); ++i) {
    const int value = out.assignments[i].value, origin = detail::origin_of(out, value);
    if (overwritten[origin] != 0 || !detail::has_memory(out, origin)) out.assignments[i].value = detail::append_copy(out, value);
  }
  for (int i = 0; i < out.fetches.size(); ++i) {
    const int f = out.fetches[i];
    if (out.type(f).type == dtype::none) continue;
    bool direct = detail::is_computed(out, f);
    for (int j = 0; j < i; ++j) direct = direct && out.fetches[j] != f;
    if (!direct) out.fetches[i] = detail::append_copy(out, f);
  }
  if (parts) out = dead_nodes(static_cast<graph&&>(out));
  return out;
}

}  // namespace etch
