// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>
#include <etch/schedule/loop_nest.hpp>

/// The loops of a product: a stack, rows, columns, and what is summed along.
namespace etch::detail {

constexpr product_axes axes_of(graph& g, int n) {
  const tensor_type in[] = {g.type(g.operand(n, 0)), g.type(g.operand(n, 1))};
  const tensor_type result = g.type(n);
  product_axes axes;
  g[n].op->axes(g.extents, in, result, g.words_of(n), axes);
  return axes;
}

/// Makes the loop nest: axes of extent 1 go, axes that every access walks as one are collapsed. Rows stay several axes where only
/// the first operand does not walk them as one; otherwise those before the last, as those before the last of columns, are a stack.
/// A product with one column, whose operands have a stride of 1 along an axis of the stack, has that axis as its columns: they are
/// then columns of both operands, and vectors lie along them.
class product_nest {
 public:
  /// `l` has the accesses, the operands first, over the axes of `space` and behind them the inner ones.
  constexpr product_nest(extent_table& extents, lowered& l, const tensor_type& space, const product_axes& axes)
      : extents_(extents), l_(l), axes_(axes), kept_(space.rank) {
    for (int i = 0; i < space.rank; ++i) extent_[i] = space.extents[i];
    for (int i = 0; i < axes.inner; ++i) extent_[space.rank + i] = axes.inner_extents[i];
  }

  constexpr void make() {
    plan_step& s = l_.shape;
    // One matrix times another, nearly every product there is: nothing is to be ordered, and 300 steps of the compiler are saved.
    if (kept_ == 2 && axes_.inner == 1 && axes_.of[0] == product_axes::group::rows && axes_.of[1] == product_axes::group::columns) {
      s.rows = 1;
      s.kept = 2;
      s.rank = 3;
      for (int d = 0; d < 3; ++d) l_.extents[d] = extent_[d];
    } else {
      order(s);
    }
    for (int i = 0; i < l_.code.size(); ++i)
      if (l_.code[i].has_slot()) l_.code[i].mode = mode_of(l_.walks[l_.code[i].slot].stride[s.lane_axis(l_.code[i].section)]);
  }

 private:
  struct axis_group {
    int count = 0;
    int at[max_nest_rank]{};
    constexpr void push(int axis) { at[count++] = axis; }
  };

  constexpr void order(plan_step& s) {
    extent_[no_axis()] = 1;
    axis_group rows = group_of(product_axes::group::rows), columns = group_of(product_axes::group::columns), inner;
    axis_group stack;
    for (int i = 0; i < kept_; ++i)
      if (axes_.of[i] == product_axes::group::stack && extent_[i] != 1) stack.push(i);
    if (extent_[columns.at[0]] == 1 && !is_narrow()) take_column(stack, columns);
    split(stack, rows, 2);
    split(stack, columns, 0);
    for (int i = 0; i < axes_.inner; ++i)
      if (extent_[kept_ + i] != 1) inner.push(kept_ + i);
    if (inner.count == 0) inner.push(kept_ + axes_.inner - 1);
    add(stack);
    s.rows = add(rows);
    add(columns);
    s.kept = s.rank;
    add(inner);
    for (int k = 0; k < l_.walks.size(); ++k) {
      const walk from = l_.walks[k];
      for (int d = 0; d < s.rank; ++d) l_.walks[k].stride[d] = from.stride[order_[d]];
      for (int d = s.rank; d < from.rank; ++d) l_.walks[k].stride[d] = 0;
    }
    s.is_columnwise = l_.walks[0].stride[s.kept - 1] != 0;
    for (int d = 0; d < s.rank; ++d) l_.extents[d] = merged_[d];
  }
  /// Whether the operands are narrower than their sums; such products have no code for columns that both operands have.
  constexpr bool is_narrow() const { return l_.walks[0].type != dtype::none && l_.walks[0].type != l_.shape.type; }
  /// Stands for an axis of a group that has none: of extent 1, and no access walks it.
  constexpr int no_axis() const { return kept_ + axes_.inner; }
  /// The axes of a group that are longer than 1, or its last.
  constexpr axis_group group_of(product_axes::group group) const {
    axis_group found;
    int last = no_axis();
    for (int i = 0; i < kept_; ++i) {
      if (axes_.of[i] != group) continue;
      last = i;
      if (extent_[i] != 1) found.push(i);
    }
    if (found.count == 0) found.push(last);
    return found;
  }
  /// Makes columns of an axis of the stack along which both operands have a stride of 1, if there is one.
  constexpr void take_column(axis_group& stack, axis_group& columns) {
    for (int i = 0; i < stack.count; ++i) {
      const int axis = stack.at[i];
      if (l_.walks[0].stride[axis] != 1 || l_.walks[1].stride[axis] != 1) continue;
      columns.at[0] = axis;
      --stack.count;
      for (int k = i; k < stack.count; ++k) stack.at[k] = stack.at[k + 1];
      return;
    }
  }
  /// Whether all accesses in [from, to) step over axis `inner` exactly as over the continuation of axis `outer`.
  constexpr bool joins(int from, int to, int outer, int inner) {
    for (int k = from; k < to; ++k)
      if (l_.walks[k].stride[outer] != extents_.product(l_.walks[k].stride[inner], extent_[inner])) return false;
    return true;
  }
  /// Leaves in a group the last axes, as many as all accesses from one on, without those that count, walk as one; those before go to the
  /// stack.
  constexpr void split(axis_group& stack, axis_group& group, int from) {
    const int to = l_.walks.size() - 2 * l_.shape.bounded;
    int first = group.count - 1;
    while (first > 0 && joins(from, to, group.at[first - 1], group.at[first])) --first;
    for (int i = 0; i < first; ++i) stack.push(group.at[i]);
    for (int i = first; i < group.count; ++i) group.at[i - first] = group.at[i];
    group.count -= first;
  }
  /// Appends a group to the nest; how many axes that makes.
  constexpr int add(const axis_group& group) {
    const int first = l_.shape.rank;
    for (int i = 0; i < group.count; ++i) {
      int& rank = l_.shape.rank;
      const int axis = group.at[i];
      if (rank > first && joins(0, l_.walks.size(), order_[rank - 1], axis)) {
        merged_[rank - 1] = extents_.product(merged_[rank - 1], extent_[axis]);
        order_[rank - 1] = axis;
      } else {
        merged_[rank] = extent_[axis];
        order_[rank++] = axis;
      }
    }
    return l_.shape.rank - first;
  }

  extent_table& extents_;
  lowered& l_;
  const product_axes& axes_;
  int kept_;
  extent_value extent_[max_nest_rank]{};
  extent_value merged_[max_nest_rank]{};
  int order_[max_nest_rank]{};  ///< of each axis of the nest: the last of those that it is made of
};

}  // namespace etch::detail
