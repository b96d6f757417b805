// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/cluster.hpp>
#include <etch/passes/index_set.hpp>

/// Parts of joins: what `concat` joins is written where it lies in the result, by the steps that compute it.
namespace etch::detail {

/// Rows shorter than this, with gaps between them, are slower to write than to copy.
inline constexpr std::int64_t least_row = 16;

constexpr bool has_concat(const graph& g) {
  for (int n = 0; n < g.size(); ++n)
    if (g.is(n, info_of<struct concat>)) return true;
  return false;
}

/// Whether operand k of a join lies in the result in one piece, or in long rows of adjacent elements.
constexpr bool lies_in_long_rows(const graph& g, int join, int k) {
  const tensor_type& t = g.type(g.operand(join, k));
  const int axis = static_cast<int>(g.word(join, 0));
  std::int64_t row = 1;
  for (int i = t.rank; i-- > 0;) {
    if (!is_static(t.extents[i])) return i > axis || row >= least_row;
    if (i <= axis && row >= least_row) return true;
    row *= t.extents[i];
    // What is before the axis repeats the row, with gaps.
    if (i == axis)
      for (int before = 0; before < i; ++before)
        if (t.extents[before] != 1) return row >= least_row;
  }
  return true;
}

/// Where operand k of a join lies in the memory of the join, which is `whole`.
constexpr view part_of_join(graph& g, int join, int k, const view& whole) {
  const int axis = static_cast<int>(g.word(join, 0));
  std::int64_t first = 0;
  for (int before = 0; before < k; ++before) first += g.type(g.operand(join, before)).extents[axis];
  view v = whole;
  v.offset = g.extents.sum(v.offset, g.extents.scaled(whole.stride[axis], first));
  return v;
}

}  // namespace etch::detail
