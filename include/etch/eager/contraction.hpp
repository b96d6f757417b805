// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/product/grouped.hpp>
#include <etch/backend/cpu/matmul/sink.hpp>
#include <etch/eager/refusal.hpp>
#include <etch/schedule/product_nest.hpp>

/// Contractions of values along any axes: the loops of a step in a plan, made for each call.
namespace etch::eager {

/// The loops of a product of two operands: those outside, and the matrices within. Strides in elements.
struct product_loops {
  int stack = 0;
  std::int64_t extents[max_nest_rank]{}, strides[3][max_nest_rank]{}, offsets[2]{};
  cpu::axis_group rows[2], columns[2];
  std::int64_t to_row = 0, to_column = 1;
  bool is_columnwise = false;  ///< columns are both operands'
};
/// `workspace`: as many elements as the other function says.
using multiply_function = void (*)(const product_loops&, const char* a, const char* b, char* to, char* workspace);
using room_function = std::int64_t (*)(const product_loops&);

/// What a call asks of a contraction, and of its dtype.
struct contraction_facts {
  op_facts op;
  void (*axes)(extent_table&, const tensor_type*, const tensor_type&, const words&, product_axes&);
};
template <class Op>
inline constexpr contraction_facts contraction_facts_of = {facts_of<Op>, &Op::axes};
struct contracting {
  multiply_function multiply;
  room_function room;
};

namespace detail {

/// Where the columns of a result have another stride than 1.
template <class T>
struct store_apart {
  T* to;
  std::int64_t row_stride, column_stride;

  /// As of `cpu::store_rows`.
  struct walk {
    T* row;
    std::int64_t next, column_stride;

    ETCH_INLINE void advance() noexcept { row += next; }
    template <class V>
    ETCH_INLINE void whole(std::int64_t j, V value) const noexcept {
      part(j, value, static_cast<int>(sizeof(V) / sizeof(T)));
    }
    template <class V>
    ETCH_INLINE void part(std::int64_t j, V value, int count) const noexcept {
      T values[sizeof(V) / sizeof(T)];
      value.store_unaligned(values);
      for (int k = 0; k < count; ++k) row[(j + k) * column_stride] = values[k];
    }
  };
  ETCH_INLINE walk rows_from(std::int64_t i) const noexcept { return {to + i * row_stride, row_stride, column_stride}; }
  template <class V>
  ETCH_INLINE void operator()(std::int64_t i, std::int64_t j, V value, [[maybe_unused]] int count) const noexcept {
    if constexpr (std::is_same_v<V, T>)
      to[i * row_stride + j * column_stride] = value;
    else
      rows_from(i).part(j, value, count);
  }
};
template <template <class> class Store, class T>
Store<T> store_of(T* to, const product_loops& l) {
  if constexpr (std::is_same_v<Store<T>, store_apart<T>>)
    return {to, l.to_row, l.to_column};
  else
    return {to, l.to_row};
}

/// Store: where a matrix of the result goes.
template <dtype D, template <class> class Store>
void multiply_stack(const product_loops& l, const char* a, const char* b, char* to, char* workspace) {
  using T = value_type_of<D>;
  std::int64_t at[max_nest_rank] = {}, count = 1, place[3] = {l.offsets[0], l.offsets[1], 0};
  for (int d = 0; d < l.stack; ++d) count *= l.extents[d];
  for (std::int64_t n = 0; n < count; ++n) {
    const cpu::grouped_matrix<T> left{reinterpret_cast<const T*>(a) + place[0], l.rows[0], l.columns[0]};
    const cpu::grouped_matrix<T> right{reinterpret_cast<const T*>(b) + place[1], l.rows[1], l.columns[1]};
    const cpu::product_team<T> team{reinterpret_cast<T*>(workspace)};
    const Store<T> result = store_of<Store, T>(reinterpret_cast<T*>(to) + place[2], l);
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
                                                  l.columns[0].is_contiguous(), 0);
}
template <dtype D>
void contract(const product_loops& l, const char* a, const char* b, char* to, char* workspace) {
  if (l.to_column == 1)
    multiply_stack<D, cpu::store_rows>(l, a, b, to, workspace);
  else
    multiply_stack<D, store_apart>(l, a, b, to, workspace);
}
template <dtype D>
inline constexpr contracting contracting_of = {&contract<D>, &room_of<D>};

inline product_loops loops_of(const contraction_facts& op, const words& attributes, const tensor_type* in,
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
  if (l.extents[s.kept - 1] != 1) l.to_column = l.strides[2][s.kept - 1];
  l.is_columnwise = s.is_columnwise;
  return l;
}

inline void contract_into(const contracting& run, const product_loops& l, const char* a, const char* b, const value& made) {
  tensor_type room;
  room.type = made.described().type;
  room.rank = 1;
  room.extents[0] = run.room(l);
  const value workspace(room);
  run.multiply(l, a, b, const_cast<char*>(made.bytes()), const_cast<char*>(workspace.bytes()));
}

}  // namespace detail

/// A contraction along the axes that the op says.
inline void contract_all(const contraction_facts& op, const contracting& run, const words& attributes, const value* const* in,
                         value& out) {
  const tensor_type types[] = {in[0]->described(), in[1]->described()};
  value made(infer(op.op, attributes, in, 2));
  detail::contract_into(run, detail::loops_of(op, attributes, types, made.described()), in[0]->bytes(), in[1]->bytes(), made);
  out = std::move(made);
}

}  // namespace etch::eager
