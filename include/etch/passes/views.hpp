// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Movement ops as strides: where each node's elements lie in the memory of the node that computes them.
namespace etch {

/// Element (i, j, ...) of a node is element offset + i * stride[0] + j * stride[1] + ... of its root's memory.
struct view {
  int root = -1;  ///< the node whose memory it is; a constant's or iota's node has no memory but is a root as well
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

/// The view of movement node n, given its operand's; false where the elements must be copied.
constexpr bool movement_view(graph& g, int n, const view& from, view& to) {
  const tensor_type& source = g[g.operand(n, 0)].type;
  const tensor_type& type = g[n].type;
  extent_table& table = g.extents;
  to = view{};
  to.root = from.root;
  to.offset = from.offset;
  if (g.is(n, info_of<struct transpose>)) {
    for (int i = 0; i < type.rank; ++i) to.stride[i] = from.stride[g.word(n, i)];
    return true;
  }
  if (g.is(n, info_of<struct broadcast_to>)) {
    const int extra = type.rank - source.rank;
    for (int i = 0; i < source.rank; ++i)
      to.stride[i + extra] = source.extents[i] == 1 && type.extents[i + extra] != 1 ? 0 : from.stride[i];
    return true;
  }
  if (g.is(n, info_of<struct slice>)) {
    for (int i = 0; i < type.rank; ++i) {
      to.stride[i] = from.stride[i];
      if (3 * i >= g[n].word_count) continue;
      const extent_value extent = source.extents[i], left = type.extents[i];
      const std::int64_t step = left == 0 || left == 1 ? 1 : g.word(n, 3 * i + 2);
      extent_value begin = g.word(n, 3 * i);
      if (left == 0)
        begin = 0;
      else if (is_static(extent))
        begin = slice.begin_of(extent, begin, g.word(n, 3 * i + 2));
      else if (begin == -1)
        begin = table.difference(extent, 1);
      to.offset = table.sum(to.offset, table.product(begin, from.stride[i]));
      to.stride[i] = table.scaled(from.stride[i], step);
      if (to.offset == unknown_extent) return false;
    }
    return true;
  }
  if (!g.is(n, info_of<struct reshape>)) return false;
  if (same_squeezed(source, type)) {
    int j = 0;
    for (int i = 0; i < type.rank; ++i) {
      if (type.extents[i] == 1) continue;
      while (source.extents[j] == 1) ++j;
      to.stride[i] = from.stride[j++];
    }
    return true;
  }
  if (!is_contiguous(table, source, from)) return false;
  const extent_value offset = to.offset;
  to = contiguous(table, type, from.root);
  to.offset = offset;
  return true;
}

}  // namespace etch
