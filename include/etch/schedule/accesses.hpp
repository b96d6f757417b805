// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/views.hpp>
#include <etch/schedule/plan.hpp>

/// How a step's loop nest, over the axes of a space, walks a view.
namespace etch::detail {

/// An access while its step is made: it names a node instead of a buffer, and carries its strides.
struct walk {
  int root = -1;
  dtype type = dtype::none;
  bool loads = false, stores = false;
  extent_value offset = 0;
  extent_value stride[max_nest_rank]{};
  int node = -1;  ///< opaque steps: the operand, whose shape they see

  constexpr bool same_elements(const walk& other) const {
    if (root != other.root || offset != other.offset || type != other.type) return false;
    for (int i = 0; i < max_nest_rank; ++i)
      if (stride[i] != other.stride[i]) return false;
    return true;
  }
};

constexpr walk at_first_element(const tensor_type& t, const view& v) {
  walk w;
  w.root = v.root;
  w.type = t.type;
  w.offset = v.offset;
  return w;
}

/// A view of shape `t` that broadcasts to the space.
constexpr walk element_walk(const tensor_type& t, const view& v, const tensor_type& space) {
  walk w = at_first_element(t, v);
  const int extra = space.rank - t.rank;
  for (int i = 0; i < t.rank; ++i) w.stride[i + extra] = t.extents[i] == 1 ? 0 : v.stride[i];
  return w;
}

/// A view whose shape `t` is the rows', perhaps with other axes of extent 1; `reduced`: the space's other axes, by bit.
constexpr walk row_walk(const tensor_type& t, const view& v, const tensor_type& space, std::int64_t reduced) {
  walk w = at_first_element(t, v);
  int j = 0;
  for (int i = 0; i < space.rank; ++i) {
    if (space.extents[i] == 1 || (reduced >> i & 1) != 0) continue;
    while (j < t.rank && t.extents[j] == 1) ++j;
    if (j < t.rank) w.stride[i] = v.stride[j++];
  }
  return w;
}

/// An operand of a contraction, over the stack, rows and columns of the result, `space`, and behind them what is summed.
/// `first`: whether it has the rows; else the columns.
constexpr walk product_walk(const tensor_type& t, const view& v, const tensor_type& space, bool first) {
  walk w = at_first_element(t, v);
  w.loads = true;
  const int extra = space.rank - t.rank, rows = space.rank - 2, columns = rows + 1, inner = columns + 1;
  for (int i = 0; i < t.rank - 2; ++i) w.stride[i + extra] = t.extents[i] == 1 && space.extents[i + extra] != 1 ? 0 : v.stride[i];
  w.stride[first ? rows : inner] = v.stride[t.rank - 2];
  w.stride[first ? inner : columns] = v.stride[t.rank - 1];
  return w;
}

/// An operand or a result of an opaque step, in its own shape.
constexpr walk whole_walk(const tensor_type& t, const view& v, int node, bool stores) {
  walk w = at_first_element(t, v);
  w.node = node;
  w.loads = !stores;
  w.stores = stores;
  for (int i = 0; i < t.rank; ++i) w.stride[i] = v.stride[i];
  return w;
}

}  // namespace etch::detail
