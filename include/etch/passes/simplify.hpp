// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/fold_constants.hpp>

/// Algebra: nodes that change nothing go, and cheaper forms of the same value take a node's place. The only pass that
/// names ops. No rule changes a result where an operand is NaN or infinite: x * 0 stays.
namespace etch {

namespace rules {

struct simplify {
  constexpr int operator()(graph& out, const candidate& c) const {
    switch (c.op->kind) {
      case op_kind::elementwise: return elementwise_node(out, c);
      case op_kind::movement: return movement_node(out, c);
      case op_kind::reduction: return reduction_node(out, c);
      default: return -1;
    }
  }

 private:
  static constexpr bool is_constant(const graph& g, int n, double value) {
    const int c = detail::constant_behind(g, n);
    if (c < 0) return false;
    const scalar s = detail::constant_value(g, c);
    return is_floating(s.type) ? s.real == value : static_cast<double>(s.integer) == value;
  }
  /// A zero that `add` (or, with the other sign, `subtract`) never shows: -0 + 0 is 0, so of the floating ones only -0 is.
  static constexpr bool adds_nothing(const graph& g, int n, bool subtracts = false) {
    if (!is_constant(g, n, 0)) return false;
    const scalar s = detail::constant_value(g, detail::constant_behind(g, n));
    return !is_floating(s.type) || (std::bit_cast<std::int64_t>(s.real) < 0) != subtracts;
  }

  static constexpr int elementwise_node(graph& out, const candidate& c) {
    const int replacement = identity(out, c);
    if (replacement >= 0) return replacement;
    return without_broadcasts(out, c);
  }

  /// An operand that the node equals, given back in the node's shape; or a cheaper op.
  static constexpr int identity(graph& out, const candidate& c) {
    const int a = c.operands[0];
    const int b = c.count > 1 ? c.operands[1] : -1;
    int same = -1;
    if (c.op->is(info_of<struct stop_gradient>)) same = a;
    if (c.op->is(info_of<cast>) && out[a].type.type == c.type.type) same = a;
    if (c.op->is(info_of<struct add>)) same = adds_nothing(out, b) ? a : adds_nothing(out, a) ? b : -1;
    if (c.op->is(info_of<struct subtract>) && adds_nothing(out, b, true)) same = a;
    if (c.op->is(info_of<struct multiply>)) same = is_constant(out, b, 1) ? a : is_constant(out, a, 1) ? b : -1;
    if (c.op->is(info_of<struct divide>) && is_constant(out, b, 1)) same = a;
    if (c.op->is(info_of<struct negative>) && out.is(a, info_of<struct negative>)) same = out.operand(a, 0);
    if (c.op->is(info_of<struct logical_not>) && out.is(a, info_of<struct logical_not>)) same = out.operand(a, 0);
    if (c.op->is(info_of<struct pow>) && is_constant(out, b, 1)) same = a;
    if (same >= 0) return broadcast_to.to(ref{&out, same}, c.type).node;

    const ref x{&out, a};
    if (c.op->is(info_of<struct pow>) && out[b].type.rank <= out[a].type.rank) {
      if (is_constant(out, b, 2)) return broadcast_to.to(x * x, c.type).node;
      if (is_constant(out, b, 0)) return detail::push_constant(out, detail::convert({dtype::int32, 0, 1}, c.type.type), c.type);
      if (is_constant(out, b, -1) && is_floating(c.type.type)) return broadcast_to.to(1_c / x, c.type).node;
    }
    if (c.op->is(info_of<struct add>) && out.is(b, info_of<struct negative>))
      return broadcast_to.to(x - ref{&out, out.operand(b, 0)}, c.type).node;
    if (c.op->is(info_of<struct subtract>) && out.is(b, info_of<struct negative>))
      return broadcast_to.to(x + ref{&out, out.operand(b, 0)}, c.type).node;
    return -1;
  }

  /// Elementwise ops broadcast by themselves: an explicit broadcast of an operand goes, or moves behind the op.
  static constexpr int without_broadcasts(graph& out, const candidate& c) {
    int in[3] = {};
    bool any_stripped = false;
    tensor_type shape = c.type;
    shape.rank = 0;
    inference context{out.extents};
    for (int k = 0; k < c.count; ++k) {
      in[k] = c.operands[k];
      while (out.is(in[k], info_of<struct broadcast_to>)) {
        in[k] = out.operand(in[k], 0);
        any_stripped = true;
      }
      shape = rules::broadcast(context, shape, out[in[k]].type);
    }
    if (!any_stripped || context.failure != reason::none) return -1;
    shape.type = c.type.type;
    const int made = out.push(*c.op, c.attributes, shape, in, c.count, c.slot, shape.same_shape(c.type) ? c.content : 0);
    return broadcast_to.to(ref{&out, made}, c.type).node;
  }

  static constexpr int movement_node(graph& out, const candidate& c) {
    const int a = c.operands[0];
    if (c.op->is(info_of<struct reshape>) || c.op->is(info_of<struct broadcast_to>)) {
      if (out[a].type.same_shape(c.type)) return a;
      if (out.is(a, *c.op)) {
        const int inner = out.operand(a, 0);
        if (out[inner].type.same_shape(c.type)) return inner;
        return out.push(*c.op, c.attributes, c.type, &inner, 1);
      }
    }
    if (c.op->is(info_of<struct transpose>)) {
      bool in_order = true;
      for (int i = 0; i < c.attributes.count; ++i) in_order = in_order && c.attributes[i] == i;
      if (in_order) return a;
      if (out.is(a, *c.op)) {
        words w = c.attributes;
        bool undone = true;
        for (int i = 0; i < w.count; ++i) {
          w.at[i] = out.word(a, static_cast<int>(c.attributes[i]));
          undone = undone && w[i] == i;
        }
        if (undone) return out.operand(a, 0);
        return call_with<struct transpose>(w, ref{&out, out.operand(a, 0)}).node;
      }
    }
    return -1;
  }

  /// Over axes of extent 1 (or over none) a reduction changes only the shape.
  static constexpr int reduction_node(graph& out, const candidate& c) {
    int a = c.operands[0];
    for (int i = 0; i < out[a].type.rank; ++i)
      if ((c.attributes[0] >> i & 1) != 0 && out[a].type.extents[i] != 1) return -1;
    while (out.is(a, info_of<struct reshape>)) a = out.operand(a, 0);
    return reshape.to(ref{&out, a}, c.type).node;
  }
};

}  // namespace rules

/// `%1 = constant 0; %2 = add %0 %1` becomes `%0`.
constexpr graph simplify(const graph& g) { return rewrite(g, rules::simplify{}); }

}  // namespace etch
