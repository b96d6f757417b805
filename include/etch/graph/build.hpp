// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Calling ops on refs: how passes, and tests by hand, add nodes to a graph.
namespace etch {

constexpr tensor_type ref::type() const { return owner->type(node); }

constexpr extent_table& extents_of(graph& owner) { return owner.extents; }
constexpr extent_table& extents_of(const ref& x) { return x.owner->extents; }

namespace detail {
/// The most operands that a call on refs may have.
inline constexpr int max_ref_operands = 64;

constexpr int append(graph& g, const candidate& c) {
  if (g.rule != nullptr) {
    const int instead = g.rule(g, c);
    if (instead >= 0) return instead;
  }
  return g.push(c);
}
constexpr ref append_typed(const op_info& op, const words& w, const tensor_type& type, const int* in, int count, graph& g) {
  return {&g, append(g, {&op, in, count, g.type_id(type), w.count == 0 ? 0 : g.push_words(w), w.count, nullptr, 0})};
}
}  // namespace detail

constexpr ref append(const op_info& op, const words& attributes, const tensor_type& type, const ref* operands, int count) {
  if (count > detail::max_ref_operands) throw "etch: a call on nodes of a graph has at most 64 operands";
  int in[detail::max_ref_operands] = {};
  for (int k = 0; k < count; ++k) in[k] = operands[k].node;
  return detail::append_typed(op, attributes, type, in, count, *operands[0].owner);
}

namespace detail {
/// The type that an op's own rule gives.
constexpr tensor_type infer(inference& context, const op_info& op, const words& attributes, const int* in, int count, graph& g) {
  if (count == 1) return op.infer(context, &g.types[g[in[0]].type], 1, attributes);
  if (count == 2) {
    const tensor_type types[] = {g.type(in[0]), g.type(in[1])};
    return op.infer(context, types, 2, attributes);
  }
  vector<tensor_type> types(count);
  for (int k = 0; k < count; ++k) types[k] = g.type(in[k]);
  return op.infer(context, types.data(), count, attributes);
}
}  // namespace detail

namespace detail {
constexpr ref append_in_floats(const op_info& op, const words& attributes, const int* in, int count, graph& g);
}

constexpr ref append(const op_info& op, const words& attributes, const ref* operands, int count) {
  graph& g = *operands[0].owner;
  if (count > detail::max_ref_operands) throw "etch: a call on nodes of a graph has at most 64 operands";
  int in[detail::max_ref_operands] = {};
  for (int k = 0; k < count; ++k) in[k] = operands[k].node;
  if (op.operands == dtype_rule::promote) {
    const int first = op.arity == 3 ? 1 : 0;
    dtype types[detail::max_ref_operands] = {};
    for (int k = first; k < count; ++k) types[k - first] = g.type(in[k]).type;
    const dtype common = promote(types, count - first);
    for (int k = first; k < count; ++k)
      if (common != dtype::none && g.type(in[k]).type != common)
        in[k] = detail::append_typed(info_of<cast>, words(static_cast<int>(common)), g.type(in[k]).with(common), &in[k], 1, g).node;
  }
  inference context{g.extents};
  const tensor_type type = detail::infer(context, op, attributes, in, count, g);
  if (context.failure == reason::this_dtype_is_for_storage_write_astype_float_of_it_first)
    return detail::append_in_floats(op, attributes, in, count, g);
  return detail::append_typed(op, attributes, type, in, count, g);
}

namespace detail {
/// What a gradient rule computes of operands whose dtype is one of storage: in float32, the result rounded.
constexpr ref append_in_floats(const op_info& op, const words& attributes, const int* in, int count, graph& g) {
  ref floats[max_ref_operands] = {};
  dtype stored = dtype::none;
  for (int k = 0; k < count; ++k) {
    const tensor_type type = g.type(in[k]);
    floats[k] = {&g, in[k]};
    if (!is_storage(type.type)) continue;
    stored = type.type;
    floats[k] = append_typed(info_of<cast>, words(static_cast<int>(dtype::float32)), type.with(dtype::float32), &in[k], 1, g);
  }
  const ref y = append(op, attributes, floats, count);
  if (y.type().type != dtype::float32) return y;
  return append_typed(info_of<cast>, words(static_cast<int>(stored)), y.type().with(stored), &y.node, 1, g);
}
}  // namespace detail

constexpr ref append_constant(graph& owner, const scalar& value) {
  tensor_type t;
  t.type = value.type;
  return detail::append_typed(info_of<struct constant>, words(constant.encode(value)), t, nullptr, 0, owner);
}
constexpr ref emit_constant(const ref& beside, const scalar& value) { return append_constant(*beside.owner, value); }
constexpr ref append_constant(graph& owner, dtype type, double value) {
  return append_constant(owner, is_floating(type) ? scalar{type, value, 0} : scalar{type, 0, static_cast<std::int64_t>(value)});
}

namespace detail {
/// The constant that a node is, perhaps moved or repeated; -1 where it is none.
constexpr int constant_behind(const graph& g, int n) {
  const node* d = &g[n];
  while (d->op->kind == op_kind::movement) d = &g[n = g.operand(n, 0)];
  return d->op->role == op_role::constant ? n : -1;
}
constexpr scalar constant_value(const graph& g, int n) { return constant.decode(g.type(n).type, g.word(n, 0)); }
}  // namespace detail

constexpr bool is_constant(ref x, double value) {
  const int c = detail::constant_behind(*x.owner, x.node);
  if (c < 0) return false;
  const scalar s = detail::constant_value(*x.owner, c);
  return s.as<double>() == value;
}
constexpr ref operand_of(ref x, const op_info& op, int k) {
  if (!x.owner->is(x.node, op)) return {};
  return {x.owner, x.owner->operand(x.node, k)};
}
constexpr int attribute_count_of(ref x) { return (*x.owner)[x.node].word_count; }
constexpr std::int64_t attribute_of(ref x, int k) { return x.owner->word(x.node, k); }

}  // namespace etch
