// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>
#include <etch/schedule/plan.hpp>

/// What a plan costs.
namespace etch::detail {

/// Operations of one run, and the bytes that all values would take, each in memory of its own.
constexpr void add_figures(graph& g, plan& p) {
  vector<extent_value> elements;  // per type
  for (int t = 0; t < g.types.size(); ++t) elements.push_back(rules::element_count(g.extents, g.types[t]));
  for (int n = 0; n < g.size(); ++n) {
    const node& d = g[n];
    const op_kind kind = d.op->kind;
    if (kind == op_kind::effect || kind == op_kind::movement || (d.count == 0 && d.op->cost == 0)) continue;
    extent_value operations = elements[d.type];
    if (kind == op_kind::reduction) {
      operations = elements[g[g.operand(n, 0)].type];
    } else if (kind == op_kind::contraction) {
      const tensor_type& a = g.type(g.operand(n, 0));
      operations = g.extents.product(operations, a.extents[a.rank - 1]);
    }
    p.flops.add(operations, d.op->cost);
    if (kind != op_kind::source) p.intermediate_bytes.add(elements[d.type], size_of_dtype(g.types[d.type].type));
  }
}

}  // namespace etch::detail
