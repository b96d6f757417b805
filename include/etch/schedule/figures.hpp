// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>
#include <etch/schedule/product_nest.hpp>

/// What a plan costs.
namespace etch::detail {

/// Operations of one run, and the bytes that all values would take, each in memory of its own.
constexpr void add_figures(graph& g, plan& p) {
  vector<extent_value> counts;  // per type
  for (int t = 0; t < g.types.size(); ++t) counts.push_back(rules::element_count(g.extents, g.types[t]));
  const extent_value* const elements = counts.data();
  for (int n = 0, size = g.size(); n < size; ++n) {
    const node& d = g[n];
    const op_kind kind = d.op->kind;
    if (kind == op_kind::effect || kind == op_kind::movement || (d.count == 0 && d.op->cost == 0)) continue;
    extent_value operations = elements[d.type];
    if (kind == op_kind::reduction) {
      operations = elements[g[g.operand(n, 0)].type];
    } else if (kind == op_kind::contraction) {
      const product_axes axes = axes_of(g, n);
      for (int i = 0; i < axes.inner; ++i) operations = g.extents.product(operations, axes.inner_extents[i]);
    }
    p.flops.add(operations, d.op->cost);
    if (kind != op_kind::source) p.intermediate_bytes.add(elements[d.type], size_of_dtype(g.types[d.type].type));
  }
}

}  // namespace etch::detail
