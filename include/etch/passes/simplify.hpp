// SPDX-License-Identifier: MIT
#pragma once
#include <bit>

#include <etch/graph/rewrite.hpp>
#include <etch/passes/common_subexpressions.hpp>
#include <etch/passes/dead_nodes.hpp>
#include <etch/passes/fold_constants.hpp>

/// Algebra: nodes that change nothing go, and cheaper forms of the same value take a node's place. Ops say what leaves them
/// unchanged and which forms they have. No rule changes a result where an operand is NaN or infinite: x * 0 stays.
namespace etch {

namespace detail {

/// Whether node n has, in every element, the value that leaves the other operand as it is.
constexpr bool is_neutral(const graph& g, int n, const neutral& e) {
  if (!e.known) return false;
  const int c = constant_behind(g, n);
  if (c < 0) return false;
  const scalar s = constant_value(g, c);
  if (!is_floating(s.type)) return static_cast<double>(s.integer) == e.value;
  return std::bit_cast<std::int64_t>(s.real) == std::bit_cast<std::int64_t>(e.value);
}

/// The operand that an elementwise node equals; -1 where it equals none.
constexpr int operand_unchanged(const graph& g, const candidate& c) {
  const int a = c.operands[0];
  if (c.count == 1) {
    if (c.op->role == op_role::barrier) return a;
    if (c.op->role == op_role::cast) return g.type(a).type == g.types[c.type].type ? a : -1;
    return c.op->involution && g.is(a, *c.op) ? g.operand(a, 0) : -1;
  }
  if (c.count != 2) return -1;
  if (is_neutral(g, c.operands[1], c.op->right)) return a;
  return is_neutral(g, a, c.op->left) ? c.operands[1] : -1;
}

/// Elementwise ops broadcast by themselves: an explicit broadcast of an operand goes, or moves behind the op.
constexpr int without_broadcasts(graph& g, const candidate& c) {
  bool any = false;
  for (int k = 0; k < c.count; ++k) any = any || g.is(c.operands[k], op_role::broadcast);
  if (!any || c.count > 3) return -1;
  int in[3] = {};
  tensor_type shape = g.types[c.type];
  const tensor_type whole = shape;
  shape.rank = 0;
  inference context{g.extents};
  for (int k = 0; k < c.count; ++k) {
    in[k] = c.operands[k];
    while (g.is(in[k], op_role::broadcast)) in[k] = g.operand(in[k], 0);
    shape = rules::broadcast(context, shape, g.type(in[k]));
  }
  shape.type = whole.type;
  const bool same = shape.same_shape(whole);
  const int made =
      append(g, {c.op, in, c.count, same ? c.type : g.type_id(shape), c.first_word, c.word_count, c.slot, same ? c.content : 0});
  return same ? made : broadcast_to.to(ref{&g, made}, whole).node;
}

constexpr int simpler_form(graph& g, const candidate& c) {
  const int most = 4;
  if (c.count > most) return -1;
  ref x[most];
  for (int k = 0; k < c.count; ++k) x[k] = {&g, c.operands[k]};
  const words w = g.words_at(c.first_word, c.word_count);
  const tensor_type type = g.types[c.type];
  const ref found = c.op->simpler({x, c.count, w, type});
  if (!found.valid()) return -1;
  // Of an elementwise node it may lack the axes that another operand brought.
  return found.type().same_shape(type) ? found.node : broadcast_to.to(found, type).node;
}

/// Over axes of extent 1 (or over none) a reduction changes only the shape.
constexpr int without_reduction(graph& g, const candidate& c) {
  int a = c.operands[0];
  const tensor_type& x = g.type(a);
  const tensor_type type = g.types[c.type];
  if (c.op->gives_indices) return -1;
  for (int i = 0; i < x.rank; ++i)
    if ((g.pool[c.first_word] >> i & 1) != 0 && x.extents[i] != 1) return -1;
  return reshape.to(ref{&g, a}, type).node;
}

}  // namespace detail

namespace rules {

constexpr int simplify(graph& g, const candidate& c) {
  const op_kind kind = c.op->kind;
  if (kind == op_kind::reduction) return detail::without_reduction(g, c);
  if (kind == op_kind::elementwise) {
    const int same = detail::operand_unchanged(g, c);
    if (same >= 0) {
      if (g[same].type == c.type) return same;
      const tensor_type type = g.types[c.type];
      return broadcast_to.to(ref{&g, same}, type).node;
    }
  }
  if (c.op->simpler != nullptr) {
    const int found = detail::simpler_form(g, c);
    if (found >= 0) return found;
  }
  return kind == op_kind::elementwise ? detail::without_broadcasts(g, c) : -1;
}

/// All rules that make a graph smaller without changing what it computes.
constexpr int tidy(graph& g, const candidate& c) {
  int n = fold_constants(g, c);
  if (n < 0) n = simplify(g, c);
  return n >= 0 ? n : common_subexpressions(g, c);
}

}  // namespace rules

/// `%1 = constant 0; %2 = add %0 %1` becomes `%0`.
constexpr graph simplify(const graph& g) { return rewrite(g, &rules::simplify); }

/// Folded, simplified, each node once, none that nothing needs. What a rule makes is tidied at once, so one round is enough.
constexpr graph tidy(const graph& g) {
  graph tidied = rewrite(g, &rules::tidy);
  return dead_nodes(static_cast<graph&&>(tidied));
}

}  // namespace etch
