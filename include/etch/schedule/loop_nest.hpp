// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/accesses.hpp>

/// The loops of a step, from the axes of the values that it computes.
namespace etch {

/// What lowering a cluster gives.
struct lowered {
  plan_step shape;
  extent_value extents[max_nest_rank]{};  ///< of the loop nest
  vector<instruction> code;
  vector<detail::walk> walks;
};

namespace detail {

constexpr lane mode_of(extent_value stride) { return stride == 0 ? lane::same : stride == 1 ? lane::next : lane::strided; }

/// Tells the program how each access moves along an axis of the nest.
constexpr void set_lanes(lowered& l, int axis) {
  for (int i = 0; i < l.code.size(); ++i)
    if (l.code[i].has_slot()) l.code[i].mode = mode_of(l.walks[l.code[i].slot].stride[axis]);
}

/// Whether rows are so short, and so many, that vectors had better lie across them: along them most lanes would be idle,
/// and each row would need its own additions between lanes.
constexpr bool has_short_rows(const lowered& l, int short_row) {
  const plan_step& s = l.shape;
  if (s.kept == 0 || s.rank != s.kept + 1) return false;
  const extent_value row = l.extents[s.rank - 1], rows = l.extents[s.kept - 1];
  return is_static(row) && row <= short_row && (!is_static(rows) || rows >= short_row);
}

/// Whether each access steps over axis i exactly as over the continuation of axis `last`.
constexpr bool joins(extent_table& extents, const lowered& l, const tensor_type& space, int last, int i) {
  for (int j = last + 1; j < i; ++j)
    if (space.extents[j] != 1) return false;
  for (int k = 0; k < l.walks.size(); ++k)
    if (l.walks[k].stride[last] != extents.product(l.walks[k].stride[i], space.extents[i])) return false;
  return true;
}

/// Makes the loop nest over `space`: axes of extent 1 go, axes that every access walks as one become one, rows come first.
/// `reduced`: the axes that are swept, by bit; < 0: there are no rows. `short_row`: of the target.
constexpr void make_loop_nest(extent_table& extents, lowered& l, const tensor_type& space, std::int64_t reduced, int short_row) {
  plan_step& s = l.shape;
  const std::int64_t mask = reduced < 0 ? 0 : reduced;
  bool innermost_is_reduced = false;
  int axes[max_rank] = {};
  for (int pass = 0; pass < 2; ++pass) {
    const int group_begin = s.rank;
    int last = -1;
    for (int i = 0; i < space.rank; ++i) {
      const bool is_reduced = (mask >> i & 1) != 0;
      if (space.extents[i] == 1 || is_reduced != (pass == 1)) continue;
      if (s.rank > group_begin && s.returned == 0 && joins(extents, l, space, last, i)) {
        l.extents[s.rank - 1] = extents.product(l.extents[s.rank - 1], space.extents[i]);
        axes[s.rank - 1] = i;
      } else {
        l.extents[s.rank] = space.extents[i];
        axes[s.rank++] = i;
      }
      last = i;
    }
    if (pass == 0) s.kept = s.rank;
  }
  for (int i = 0; i < space.rank; ++i)
    if (space.extents[i] != 1) innermost_is_reduced = (mask >> i & 1) != 0;
  const bool has_rows = s.kind == cluster_kind::sweep || s.kind == cluster_kind::scan;
  if (has_rows && s.rank == s.kept) {  // reduces nothing but axes of extent 1
    l.extents[s.rank++] = 1;
    axes[s.rank - 1] = -1;
    innermost_is_reduced = s.kept == 0;
  }
  if (!has_rows && s.rank == 0) {
    l.extents[s.rank++] = 1;
    axes[0] = -1;
    s.kept = 1;
  }
  if (s.kind == cluster_kind::sweep && innermost_is_reduced && has_short_rows(l, short_row))
    s.short_row = static_cast<int>(l.extents[s.rank - 1]);
  s.lanes_along_rows = has_rows && (!innermost_is_reduced || s.short_row > 0);
  for (int k = 0; k < l.walks.size(); ++k) {
    extent_value stride[max_rank] = {};
    for (int i = 0; i < s.rank; ++i) stride[i] = axes[i] < 0 ? 0 : l.walks[k].stride[axes[i]];
    for (int i = 0; i < space.rank || i < s.rank; ++i) l.walks[k].stride[i] = stride[i];
  }
  set_lanes(l, s.lanes_along_rows ? s.kept - 1 : s.rank - 1);
}

/// How many rows behind a result can go back where access `to` says, `from` being what the step loads there: a row that is not read
/// from then on. Both walk alike, upwards.
constexpr std::int64_t rows_between(const plan_step& s, const extent_value* extents, const extent_value* stride, extent_value to,
                                    extent_value from) {
  std::int64_t length = 0;
  for (int i = 1; i < s.rank; ++i) length += (extents[i] - 1) * stride[i];
  // The last element of a row is overwritten when the row after the next `lag` ones is next: that must begin behind it.
  return length + to < from ? 0 : (length + to - from) / stride[0];
}

/// Of a step that returns results. stored_in: per node the variable in whose memory it lies: what a variable has been assigned before in the
/// run is read there, too.
constexpr void set_lag(lowered& l, const vector<int>& stored_in) {
  const auto memory = [&](int root) { return root >= 0 && stored_in[root] >= 0 ? stored_in[root] : root; };
  plan_step& s = l.shape;
  const int first = l.walks.size() - s.returned;
  for (int k = first; k < l.walks.size(); ++k)
    for (int j = 0; j < first; ++j) {
      const walk &to = l.walks[k], &from = l.walks[j];
      if (memory(from.root) != memory(to.root)) continue;
      const std::int64_t rows = rows_between(s, l.extents, to.stride, to.offset, from.offset);
      if (rows > s.lag) s.lag = static_cast<int>(rows);
    }
}

}  // namespace detail

}  // namespace etch
