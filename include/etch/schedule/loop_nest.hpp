// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>
#include <etch/schedule/plan.hpp>

/// The loops of a step, from the axes of the values that it computes.
namespace etch {

/// Rows of up to this many elements are swept many at a time: measured on Zen 4.
inline constexpr int longest_short_row = 16;

/// What lowering a cluster gives. Accesses name nodes, not buffers yet.
struct lowered {
  step shape;
  vector<instruction> code;
  vector<access> accesses;
};

namespace detail {

/// How each access moves along an axis of the nest, for accesses from `first` on.
constexpr void set_lanes(lowered& l, int axis, int first) {
  for (int k = first; k < l.accesses.size(); ++k) {
    const extent_value s = l.accesses[k].stride[axis];
    const lane mode = s == 0 ? lane::same : s == 1 ? lane::next : lane::strided;
    l.shape.lanes |= static_cast<std::uint64_t>(mode) << (2 * k);
  }
}

/// Whether rows are so short, and so many, that vectors had better lie across them: along them most lanes would be idle,
/// and each row would need its own additions between lanes.
constexpr bool has_short_rows(const step& s) {
  if (s.kept == 0 || s.rank != s.kept + 1) return false;
  const extent_value row = s.extents[s.rank - 1], rows = s.extents[s.kept - 1];
  return is_static(row) && row <= longest_short_row && (!is_static(rows) || rows >= longest_short_row);
}

/// Whether each access steps over axis i exactly as over the continuation of axis `last`.
constexpr bool joins(extent_table& extents, const lowered& l, const tensor_type& space, int last, int i) {
  for (int j = last + 1; j < i; ++j)
    if (space.extents[j] != 1) return false;
  for (int k = 0; k < l.accesses.size(); ++k) {
    const access& a = l.accesses[k];
    if (a.stride[last] != extents.product(a.stride[i], space.extents[i])) return false;
  }
  return true;
}

/// Makes the loop nest over `space`: axes of extent 1 go, axes that every access walks as one become one, rows come first.
/// `reduced`: the axes that are swept, by bit; < 0: there are no rows.
constexpr void make_loop_nest(extent_table& extents, lowered& l, const tensor_type& space, std::int64_t reduced) {
  step& s = l.shape;
  const std::int64_t mask = reduced < 0 ? 0 : reduced;
  bool innermost_is_reduced = false;
  int axes[max_rank] = {};
  for (int pass = 0; pass < 2; ++pass) {
    const int group_begin = s.rank;
    int last = -1;
    for (int i = 0; i < space.rank; ++i) {
      const bool is_reduced = (mask >> i & 1) != 0;
      if (space.extents[i] == 1 || is_reduced != (pass == 1)) continue;
      if (s.rank > group_begin && joins(extents, l, space, last, i)) {
        s.extents[s.rank - 1] = extents.product(s.extents[s.rank - 1], space.extents[i]);
        axes[s.rank - 1] = i;
      } else {
        s.extents[s.rank] = space.extents[i];
        axes[s.rank++] = i;
      }
      last = i;
    }
    if (pass == 0) s.kept = s.rank;
  }
  for (int i = 0; i < space.rank; ++i)
    if (space.extents[i] != 1) innermost_is_reduced = (mask >> i & 1) != 0;
  if (s.kind == cluster_kind::sweep && s.rank == s.kept) {  // reduces nothing but axes of extent 1
    s.extents[s.rank++] = 1;
    axes[s.rank - 1] = -1;
    innermost_is_reduced = s.kept == 0;
  }
  if (s.kind != cluster_kind::sweep && s.rank == 0) {
    s.extents[s.rank++] = 1;
    axes[0] = -1;
    s.kept = 1;
  }
  if (s.kind == cluster_kind::sweep && innermost_is_reduced && has_short_rows(s))
    s.short_row = static_cast<int>(s.extents[s.rank - 1]);
  s.lanes_along_rows = s.kind == cluster_kind::sweep && (!innermost_is_reduced || s.short_row > 0);
  for (int k = 0; k < l.accesses.size(); ++k) {
    access& a = l.accesses[k];
    extent_value stride[max_rank] = {};
    for (int i = 0; i < s.rank; ++i) stride[i] = axes[i] < 0 ? 0 : a.stride[axes[i]];
    for (int i = 0; i < max_rank; ++i) a.stride[i] = stride[i];
  }
  set_lanes(l, s.lanes_along_rows ? s.kept - 1 : s.rank - 1, 0);
}

}  // namespace detail

}  // namespace etch
