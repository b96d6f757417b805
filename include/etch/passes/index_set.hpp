// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>

/// Index sets: rectangles of a node's elements, and what they read of its operands.
namespace etch::detail {

/// Along each axis so many elements, from one on. Along an axis whose extent has a name all.
struct index_set {
  std::int64_t begin[max_rank]{};
  extent_value extents[max_rank]{};

  constexpr index_set() = default;
  constexpr explicit index_set(const tensor_type& all) {
    for (int i = 0; i < all.rank; ++i) extents[i] = all.extents[i];
  }
  constexpr bool operator==(const index_set& other) const = default;
  constexpr bool is_all(const tensor_type& t) const {
    for (int i = 0; i < t.rank; ++i)
      if (extents[i] != t.extents[i]) return false;
    return true;
  }
  /// Of elements of type t, alone.
  constexpr tensor_type type(const tensor_type& t) const {
    tensor_type r = t;
    for (int i = 0; i < r.rank; ++i) r.extents[i] = extents[i];
    return r;
  }
};

/// What an index set of a node reads of an operand.
struct operand_set {
  index_set set;
  bool is_empty = false;
  int missing = 0;                 ///< axes of the node that the operand does not have, the first ones
  std::int64_t shift[max_rank]{};  ///< per axis of the operand: where its first element lies in the node
};

/// Joins: `concat`, and `pad` without steps, where the extents along which they join are numbers: not the gradient of rows 0 to 4 of `any`.
constexpr bool is_static_join(const graph& g, int n) {
  if (g.is(n, info_of<struct concat>)) {
    for (int k = 0; k < g[n].count; ++k)
      if (!is_static(g.type(g.operand(n, k)).extents[g.word(n, 0)])) return false;
    return g[n].count > 0;
  }
  if (!g.is(n, info_of<struct pad>)) return false;
  const tensor_type &x = g.type(g.operand(n, 0)), &y = g.type(n);
  for (int i = 0; i < x.rank; ++i)
    if (g.word(n, 3 * i + 2) != 1 || (y.extents[i] != x.extents[i] && !(is_static(x.extents[i]) && is_static(y.extents[i]))))
      return false;
  return true;
}
/// A slice whose steps are 1, or do not matter, and whose begins are numbers.
constexpr bool is_static_slice(const graph& g, int n) {
  if (!g.is(n, info_of<struct slice>)) return false;
  const tensor_type &x = g.type(g.operand(n, 0)), &y = g.type(n);
  for (int i = 0; 3 * i < g[n].word_count; ++i) {
    const bool is_one = y.extents[i] == 1 && is_static(x.extents[i]);
    if (!is_one && (g.word(n, 3 * i + 2) != 1 || (y.extents[i] != x.extents[i] && !is_static(x.extents[i])))) return false;
  }
  return true;
}

/// Along which axes a join joins, by bit.
constexpr int joined_axes(const graph& g, int n) {
  if (g.is(n, info_of<struct concat>)) return 1 << g.word(n, 0);
  int axes = 0;
  for (int i = 0; i < g.type(n).rank; ++i)
    if (g.type(n).extents[i] != g.type(g.operand(n, 0)).extents[i]) axes |= 1 << i;
  return axes;
}

/// What `set` of node n reads of operand k: n is elementwise, a broadcast, a static slice, or a static join.
constexpr operand_set read_set(const graph& g, int n, int k, const index_set& set) {
  const tensor_type &x = g.type(g.operand(n, k)), &y = g.type(n);
  operand_set r;
  r.missing = y.rank - x.rank;
  const int joined = is_static_join(g, n) ? joined_axes(g, n) : 0;
  for (int i = 0; i < x.rank; ++i) {
    const int axis = i + r.missing;
    if (x.extents[i] == 1 && y.extents[axis] != 1 && joined == 0) {
      r.set.extents[i] = 1;
      continue;
    }
    r.set.begin[i] = set.begin[axis];
    r.set.extents[i] = set.extents[axis];
    if ((joined >> i & 1) != 0) {
      if (g.is(n, info_of<struct pad>)) r.shift[i] = g.word(n, 3 * i);
      for (int before = 0; before < k; ++before) r.shift[i] += g.type(g.operand(n, before)).extents[i];
      const std::int64_t first = set.begin[i] < r.shift[i] ? 0 : set.begin[i] - r.shift[i];
      const std::int64_t end = set.begin[i] + set.extents[i] - r.shift[i], past = end < x.extents[i] ? end : x.extents[i];
      r.set.begin[i] = first;
      r.set.extents[i] = past - first;
      r.is_empty = r.is_empty || past <= first;
    } else if (y.extents[axis] != x.extents[i]) {  // a slice
      r.shift[i] = -slice.begin_of(x.extents[i], g.word(n, 3 * i), g.word(n, 3 * i + 2));
      r.set.begin[i] -= r.shift[i];
    }
  }
  return r;
}

}  // namespace etch::detail
