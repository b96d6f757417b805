// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>
#include <etch/schedule/plan.hpp>

/// What a plan costs.
namespace etch::detail {

constexpr void add_to(polynomial& total, const extent_table& extents, extent_value e, std::int64_t factor) {
  const polynomial p = extents.at(e);
  for (int i = 0; i < p.count; ++i) total.add(p.coefficient[i] * factor, p.powers[i]);
}

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
    if (d.op->cost != 0) add_to(p.flops, g.extents, operations, d.op->cost);
    if (d.op->kind != op_kind::source && d.op->kind != op_kind::movement)
      add_to(p.intermediate_bytes, g.extents, elements, size_of_dtype(d.type.type));
  }
}

}  // namespace etch::detail
