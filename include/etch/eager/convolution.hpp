// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/columnwise_product.hpp>
#include <etch/backend/cpu/grouped_matmul.hpp>
#include <etch/backend/cpu/matmul/sink.hpp>
#include <etch/eager/opaque.hpp>
#include <etch/ops/convolve.hpp>
#include <etch/schedule/product_nest.hpp>

/// Convolutions of values, and their adjoints: the loops of a step in a plan, made for each call.
namespace etch::eager {

/// The loops of a product of two operands: those outside, and the matrices within. Strides in elements.
struct product_loops {
  int stack = 0;
  std::int64_t extents[max_nest_rank]{}, strides[3][max_nest_rank]{}, offsets[2]{};
  cpu::axis_group rows[2], columns[2];
  std::int64_t to_row = 0;
  bool is_columnwise = false;  ///< columns are both operands'
};
/// `workspace`: as many elements as the other function says.
using multiply_function = void (*)(const product_loops&, const char* a, const char* b, char* to, char* workspace);
using room_function = std::int64_t (*)(const product_loops&);

/// What a call asks of a convolution, and of its dtype.
struct convolution_facts {
  op_facts op;
  etch::detail::image_padding (*padding_of)(extent_table&, const tensor_type*, const words&);
  void (*axes)(extent_table&, const tensor_type*, const tensor_type&, const words&, product_axes&);
};
template <class Op>
inline constexpr convolution_facts convolution_facts_of = {facts_of<Op>, &Op::padding_of, &Op::axes};
struct convolving {
  opaque_function pad;
  multiply_function multiply;
  room_function room;
};

namespace detail {

template <dtype D>
void multiply_stack(const product_loops& l, const char* a, const char* b, char* to, char* workspace) {
  using T = value_type_of<D>;
  std::int64_t at[max_nest_rank] = {}, count = 1, place[3] = {l.offsets[0], l.offsets[1], 0};
  for (int d = 0; d < l.stack; ++d) count *= l.extents[d];
  for (std::int64_t n = 0; n < count; ++n) {
    const cpu::grouped_matrix<T> left{reinterpret_cast<const T*>(a) + place[0], l.rows[0], l.columns[0]};
    const cpu::grouped_matrix<T> right{reinterpret_cast<const T*>(b) + place[1], l.rows[1], l.columns[1]};
    const cpu::product_team<T> team{reinterpret_cast<T*>(workspace)};
    const cpu::store_rows<T> result{reinterpret_cast<T*>(to) + place[2], l.to_row};
    if (l.is_columnwise)
      cpu::columnwise_product(left, right, cpu::place_bounds{}, team, result);
    else
      cpu::grouped_matmul(left, right, team, result);
    for (int d = l.stack; d-- > 0;) {
      for (int k = 0; k < 3; ++k) place[k] += l.strides[k][d];
      if (++at[d] < l.extents[d]) break;
      for (int k = 0; k < 3; ++k) place[k] -= l.strides[k][d] * at[d];
      at[d] = 0;
    }
  }
}
template <dtype D>
std::int64_t room_of(const product_loops& l) {
  if (l.is_columnwise)
    return cpu::columnwise_product_workspace<value_type_of<D>>(l.rows[0].size(), l.columns[1].size(), l.columns[0].size());
  return cpu::grouped_workspace<value_type_of<D>>(l.rows[0].size(), l.columns[1].size(), l.columns[0].size(),
                                                  l.columns[0].is_contiguous());
}
template <dtype D>
inline constexpr convolving convolving_of = {opaque_kernel_of<struct pad, D, D>(), &multiply_stack<D>, &room_of<D>};

inline product_loops loops_of(const convolution_facts& op, const words& attributes, const tensor_type* in,
                              const tensor_type& type) {
  product_axes axes;
  op.axes(no_names, in, type, attributes, axes);
  lowered made;
  using etch::detail::element_walk, etch::detail::product_nest, etch::detail::product_walk;
  for (int k = 0; k < 2; ++k) made.walks.push_back(product_walk(no_names, in[k], contiguous(no_names, in[k], k), axes.operand[k]));
  made.walks.push_back(element_walk(type, contiguous(no_names, type, 2), type));
  product_nest(no_names, made, type, axes).make();
  product_loops l;
  const plan_step& s = made.shape;
  l.stack = s.kept - 1 - s.rows;
  for (int d = 0; d < s.rank; ++d) {
    l.extents[d] = made.extents[d];
    for (int k = 0; k < 3; ++k) l.strides[k][d] = made.walks[k].stride[d];
  }
  for (int k = 0; k < 2; ++k) l.offsets[k] = made.walks[k].offset;
  for (int d = l.stack; d < s.kept - 1; ++d) l.rows[0].add(l.extents[d], l.strides[0][d]);
  l.columns[1].add(l.extents[s.kept - 1], l.strides[1][s.kept - 1]);
  for (int d = s.kept; d < s.rank; ++d) {
    l.columns[0].add(l.extents[d], l.strides[0][d]);
    l.rows[1].add(l.extents[d], l.strides[1][d]);
  }
  l.to_row = l.strides[2][s.kept - 2];
  l.is_columnwise = s.is_columnwise;
  return l;
}

}  // namespace detail

/// A convolution, or an adjoint of one, as the op says.
inline void convolve_all(const convolution_facts& op, const convolving& run, const words& attributes, const value* const* in,
                         value& out) {
  const tensor_type type = infer(op.op, attributes, in, 2);
  tensor_type types[] = {in[0]->described(), in[1]->described()};
  const etch::detail::image_padding padding = op.padding_of(no_names, types, attributes);
  value padded;
  const bool pads = padding.any && !padding.is_empty;
  if (pads) {
    run_opaque_to(run.pad, padding.type, padding.pad, in, 1, {}, padded);
    types[0] = padding.type;
  }
  const product_loops l = detail::loops_of(op, pads ? padding.after : attributes, types, type);
  value made(type);
  tensor_type room;
  room.type = type.type;
  room.rank = 1;
  room.extents[0] = run.room(l);
  const value workspace(room);
  run.multiply(l, pads ? padded.bytes() : in[0]->bytes(), in[1]->bytes(), made.bytes(), const_cast<char*>(workspace.bytes()));
  out = std::move(made);
}

}  // namespace etch::eager
