// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Calling ops on refs: how passes, and tests by hand, add nodes to a graph.
namespace etch {

constexpr const tensor_type& ref::type() const { return owner->nodes[node].type; }

constexpr extent_table& extents_of(graph& owner) { return owner.extents; }

constexpr ref append(const op_info& op, const words& attributes, const tensor_type& type, const ref* operands,
                     int count) {
  graph& g = *operands[0].owner;
  int in[max_rank + 56] = {};
  for (int k = 0; k < count; ++k) in[k] = operands[k].node;
  return {&g, g.push(op, attributes, type, in, count)};
}

constexpr ref append(const op_info& op, const words& attributes, const ref* operands, int count) {
  ref in[64] = {};
  tensor_type types[64] = {};
  for (int k = 0; k < count; ++k) in[k] = operands[k];
  if (op.operands == dtype_rule::promote) {
    const int first = op.arity == 3 ? 1 : 0;
    dtype common = dtype::boolean;
    for (int k = first; k < count; ++k) common = promote(common, in[k].type().type);
    for (int k = first; k < count; ++k)
      if (in[k].type().type != common) {
        const tensor_type converted = in[k].type().with(common);
        in[k] = append(info_of<cast>, words(static_cast<int>(common)), converted, &in[k], 1);
      }
  }
  for (int k = 0; k < count; ++k) types[k] = in[k].type();
  inference context{operands[0].owner->extents};
  const tensor_type type = op.infer(context, types, count, attributes);
  return append(op, attributes, type, in, count);
}

constexpr ref append_constant(graph& owner, dtype type, double value) {
  tensor_type t;
  t.type = type;
  const scalar s = is_floating(type) ? scalar{type, value, 0} : scalar{type, 0, static_cast<std::int64_t>(value)};
  return {&owner, owner.push(info_of<struct constant>, words(constant.encode(s)), t, nullptr, 0)};
}

/// A placeholder in a graph written by hand.
constexpr ref append_placeholder(graph& owner, const tensor_type& type, const slot_info* slot, hash_t content) {
  return {&owner, owner.push(info_of<detail::placeholder_op>, words(), type, nullptr, 0, slot, content)};
}

}  // namespace etch
