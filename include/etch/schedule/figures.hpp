// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>
#include <etch/schedule/plan.hpp>

/// What a plan costs.
namespace etch::detail {

/// Operations of one run, and the bytes that all values would take, each in memory of its own.
constexpr void add_figures(graph& g, plan& p) {
  for (int n = 0; n < g.size(); ++n) {
    const node& d = g[n];
    if (d.op->kind == op_kind::effect || d.type.type == dtype::none) continue;
    const extent_value elements = rules::element_count(g.extents, d.type);
    extent_value operations = elements;
    if (d.op->kind == op_kind::reduction) {
      operations = rules::element_count(g.extents, g[g.operand(n, 0)].type);
    } else if (d.op->kind == op_kind::contraction) {
      const tensor_type& a = g[g.operand(n, 0)].type;
      operations = g.extents.product(elements, a.extents[a.rank - 1]);
    }
    p.flops.add(operations, d.op->cost);
    if (d.op->kind != op_kind::source && d.op->kind != op_kind::movement)
      p.intermediate_bytes.add(elements, size_of_dtype(d.type.type));
  }
}

}  // namespace etch::detail
