// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/views.hpp>
#include <etch/schedule/plan.hpp>

/// How a step's loop nest, over the axes of a space, walks a view.
namespace etch::detail {

/// An access while its step is made: it names a node instead of a buffer, and carries its strides.
struct walk {
  int root = -1;  ///< the node in whose memory it walks; -1: it counts, in none
  dtype type = dtype::none;
  bool loads = false, stores = false;
  extent_value offset = 0;
  int rank = 0;  ///< behind so many axes all strides are 0
  extent_value stride[max_nest_rank]{};
  int node = -1;  ///< opaque steps: the operand, whose shape they see

  constexpr bool same_elements(const walk& other) const {
    if (root != other.root || offset != other.offset || type != other.type) return false;
    for (int i = 0; i < rank; ++i)
      if (stride[i] != other.stride[i]) return false;
    return true;
  }
};

constexpr walk at_first_element(const tensor_type& t, const view& v, int rank) {
  walk w;
  w.rank = rank;
  w.root = v.root;
  w.type = t.type;
  w.offset = v.offset;
  return w;
}

/// A view of shape `t` that broadcasts to the space.
constexpr walk element_walk(const tensor_type& t, const view& v, const tensor_type& space) {
  walk w = at_first_element(t, v, space.rank);
  const int extra = space.rank - t.rank;
  for (int i = 0; i < t.rank; ++i) w.stride[i + extra] = t.extents[i] == 1 ? 0 : v.stride[i];
  return w;
}

/// The view that a walk over the axes of a space is.
constexpr view view_of_walk(const walk& w) {
  view v;
  v.root = w.root;
  v.offset = w.offset;
  for (int i = 0; i < max_rank; ++i) v.stride[i] = w.stride[i];
  return v;
}

/// A view whose shape `t` is the rows', perhaps with other axes of extent 1; `reduced`: the space's other axes, by bit.
constexpr walk row_walk(const tensor_type& t, const view& v, const tensor_type& space, std::int64_t reduced) {
  walk w = at_first_element(t, v, space.rank);
  int j = 0;
  for (int i = 0; i < space.rank; ++i) {
    if (space.extents[i] == 1 || (reduced >> i & 1) != 0) continue;
    while (j < t.rank && t.extents[j] == 1) ++j;
    if (j < t.rank) w.stride[i] = v.stride[j++];
  }
  return w;
}

/// An operand of a contraction, over the axes of the result and, behind them, those that it sums along.
constexpr walk product_walk(extent_table& extents, const tensor_type& t, const view& v, const index_map& m) {
  walk w = at_first_element(t, v, max_nest_rank);
  w.loads = true;
  for (int i = 0; i < t.rank; ++i)
    if (m.begin[i] != 0) w.offset = extents.sum(w.offset, extents.product(m.begin[i], v.stride[i]));
  for (int k = 0; k < m.count; ++k) {
    extent_value& stride = w.stride[m.terms[k].result_axis];
    stride = extents.sum(stride, extents.scaled(v.stride[m.terms[k].operand_axis], m.terms[k].step));
  }
  return w;
}

/// An operand or a result of an opaque step, in its own shape.
constexpr walk whole_walk(const tensor_type& t, const view& v, int node, bool stores) {
  walk w = at_first_element(t, v, t.rank);
  w.node = node;
  w.loads = !stores;
  w.stores = stores;
  for (int i = 0; i < t.rank; ++i) w.stride[i] = v.stride[i];
  return w;
}

}  // namespace etch::detail
