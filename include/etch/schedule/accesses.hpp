// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/views.hpp>
#include <etch/schedule/plan.hpp>

/// How a step's loop nest, over the axes of a space, walks a view. Buffers are still nodes here.
namespace etch::detail {

constexpr access at_first_element(const tensor_type& t, const view& v) {
  access a;
  a.buffer = v.root;
  a.type = t.type;
  a.offset = v.offset;
  return a;
}

/// A view of shape `t` that broadcasts to the space.
constexpr access element_access(const tensor_type& t, const view& v, const tensor_type& space) {
  access a = at_first_element(t, v);
  const int extra = space.rank - t.rank;
  for (int i = 0; i < t.rank; ++i) a.stride[i + extra] = t.extents[i] == 1 ? 0 : v.stride[i];
  return a;
}

/// A view whose shape `t` is the rows', perhaps with other axes of extent 1; `reduced`: the space's other axes, by bit.
constexpr access row_access(const tensor_type& t, const view& v, const tensor_type& space, std::int64_t reduced) {
  access a = at_first_element(t, v);
  int j = 0;
  for (int i = 0; i < space.rank; ++i) {
    if (space.extents[i] == 1 || (reduced >> i & 1) != 0) continue;
    while (j < t.rank && t.extents[j] == 1) ++j;
    if (j < t.rank) a.stride[i] = v.stride[j++];
  }
  return a;
}

/// An operand of a contraction over the result's batch axes and its own last two.
constexpr access product_access(const tensor_type& t, const view& v, const tensor_type& space) {
  access a = at_first_element(t, v);
  const int extra = space.rank - t.rank;
  for (int i = 0; i < t.rank; ++i)
    a.stride[i + extra] = i < t.rank - 2 && t.extents[i] == 1 && space.extents[i + extra] != 1 ? 0 : v.stride[i];
  return a;
}

/// An operand or a result of an opaque step, in its own shape.
constexpr access whole_access(const tensor_type& t, const view& v) {
  access a = at_first_element(t, v);
  a.rank = t.rank;
  for (int i = 0; i < a.rank; ++i) {
    a.stride[i] = v.stride[i];
    a.extents[i] = t.extents[i];
  }
  return a;
}

}  // namespace etch::detail
