// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>
#include <etch/ops/slicing.hpp>

/// Movement ops as strides: where each node's elements lie in the memory of the node that computes them.
namespace etch {

/// Element (i, j, ...) of a node is element offset + i * stride[0] + j * stride[1] + ... of its root's memory.
struct view {
  int root = -1;  ///< the node whose memory it is; a constant's or index's node has no memory but is a root as well
  extent_value offset = 0;
  extent_value stride[max_rank]{};
};

constexpr view contiguous(extent_table& table, const tensor_type& type, int root) {
  view v;
  v.root = root;
  extent_value s = 1;
  for (int i = type.rank; i-- > 0;) {
    v.stride[i] = s;
    s = table.product(s, type.extents[i]);
  }
  return v;
}

/// Where the part of a variable that an assignment writes lies in the variable's memory, which is that of node `root`.
constexpr view part_view(const graph& g, const assignment& a, int root) {
  const tensor_type& variable = g.type(a.variable);
  const words attributes = g.words_at(a.first_word, a.word_count);
  view v;
  v.root = root;
  extent_value stride = 1;
  for (int i = variable.rank; i-- > 0;) {
    const std::int64_t step = attributes[3 * i + 2];
    v.offset += slice.begin_of(variable.extents[i], attributes[3 * i], step) * stride;
    v.stride[i] = step * stride;
    stride *= variable.extents[i];
  }
  return v;
}

/// Whether the elements lie without gaps in row-major order. Axes of extent 1 do not matter.
constexpr bool is_contiguous(extent_table& table, const tensor_type& type, const view& v) {
  extent_value s = 1;
  for (int i = type.rank; i-- > 0;) {
    if (type.extents[i] == 1) continue;
    if (v.stride[i] != s) return false;
    s = table.product(s, type.extents[i]);
  }
  return true;
}

/// Whether two shapes differ by axes of extent 1 only.
constexpr bool same_squeezed(const tensor_type& a, const tensor_type& b) {
  int j = 0;
  for (int i = 0; i < a.rank; ++i) {
    if (a.extents[i] == 1) continue;
    while (j < b.rank && b.extents[j] == 1) ++j;
    if (j == b.rank || b.extents[j] != a.extents[i]) return false;
    ++j;
  }
  while (j < b.rank && b.extents[j] == 1) ++j;
  return j == b.rank;
}

namespace detail {

/// The view of elements that keep their order under another shape; false where they must be copied.
constexpr bool reshaped_view(extent_table& table, const tensor_type& source, const tensor_type& type, const view& from, view& to) {
  if (same_squeezed(source, type)) {
    to.offset = from.offset;
    for (int i = 0, j = 0; i < type.rank; ++i) {
      if (type.extents[i] == 1) continue;
      while (source.extents[j] == 1) ++j;
      to.stride[i] = from.stride[j++];
    }
    return true;
  }
  if (!is_contiguous(table, source, from)) return false;
  to = contiguous(table, type, from.root);
  to.offset = from.offset;
  return true;
}

}  // namespace detail

/// The view of a movement's result, given its operand's; false where the elements must be copied.
constexpr bool movement_view(extent_table& table, const op_info& op, const words& attributes, const tensor_type& source,
                             const tensor_type& type, const view& from, view& to) {
  index_map m;
  op.map(table, source, type, attributes, m);
  to = view{};
  to.root = from.root;
  if (m.keeps_order) return detail::reshaped_view(table, source, type, from, to);
  to.offset = from.offset;
  for (int i = 0; i < source.rank; ++i)
    if (m.begin[i] != 0) to.offset = table.sum(to.offset, table.product(m.begin[i], from.stride[i]));
  for (int k = 0; k < m.count; ++k) {
    const index_map::term& t = m.terms[k];
    extent_value& stride = to.stride[t.result_axis];
    stride = table.sum(stride, table.scaled(from.stride[t.operand_axis], t.step));
  }
  if (to.offset == unknown_extent) return false;
  for (int i = 0; i < type.rank; ++i)
    if (to.stride[i] == unknown_extent) return false;
  return true;
}

/// Of movement node n of a graph, given its operand's.
constexpr bool movement_view(graph& g, int n, const view& from, view& to) {
  return movement_view(g.extents, *g[n].op, g.words_of(n), g.type(g.operand(n, 0)), g.type(n), from, to);
}

}  // namespace etch
