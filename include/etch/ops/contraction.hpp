// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/axes.hpp>

/// Sums of products.
namespace etch {

/// The matrix product of the last two axes; axes before them are a stack that broadcasts. As in NumPy a first operand of one
/// axis is a row, a second one a column, and the result lacks that axis. A transposed operand
/// (`matmul(x, matrix_transpose(w))`) costs no copy.
inline constexpr struct matmul : op_defaults {
  static constexpr const char* name = "matmul";
  static constexpr op_kind kind = op_kind::contraction;
  static constexpr op_role role = op_role::product;
  static constexpr int arity = 2;
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr int cost = 2;

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words&) {
    tensor_type a = in[0], b = in[1];
    if (a.type != b.type) return context.fail(reason::dtypes_differ, a);
    if (!contains(accepts, a.type)) return context.fail(why_not_accepted(a.type), a);
    if (a.rank < 1 || b.rank < 1) return context.fail(reason::rank_too_small, a);
    if (!context.agree(a.extents[a.rank - 1], b.extents[b.rank > 1 ? b.rank - 2 : 0]))
      return context.fail(reason::inner_extents_differ, a);
    if (a.rank < 2 || b.rank < 2) return context.fail(reason::rank_too_small, a);
    const extent_value m = a.extents[a.rank - 2], n = b.extents[b.rank - 1];
    a.rank -= 2;
    b.rank -= 2;
    tensor_type r = rules::broadcast(context, a, b);
    if (context.failure != reason::none) {
      context.failure = reason::batch_extents_differ;
      return in[0];
    }
    r.extents[r.rank++] = m;
    r.extents[r.rank++] = n;
    return r;
  }
  /// Of a stack along which an operand has one matrix only, the other one's matrices are one.
  static constexpr void axes(extent_table&, const tensor_type* in, const tensor_type& result, const words&, product_axes& p) {
    const int rows = result.rank - 2, columns = rows + 1, inner = columns + 1;
    for (int i = 0; i < rows; ++i) {
      const bool in_a = has_stack_axis(in[0], result, i), in_b = has_stack_axis(in[1], result, i);
      p.of[i] = in_a == in_b ? product_axes::group::stack : in_a ? product_axes::group::rows : product_axes::group::columns;
      if (in_a) p.operand[0].add(i - (result.rank - in[0].rank), i);
      if (in_b) p.operand[1].add(i - (result.rank - in[1].rank), i);
    }
    p.of[rows] = product_axes::group::rows;
    p.of[columns] = product_axes::group::columns;
    p.add_inner(in[0].extents[in[0].rank - 1]);
    p.operand[0].add(in[0].rank - 2, rows);
    p.operand[0].add(in[0].rank - 1, inner);
    p.operand[1].add(in[1].rank - 2, inner);
    p.operand[1].add(in[1].rank - 1, columns);
  }
  template <operand_like A, operand_like B>
  constexpr auto operator()(A a, B b) const {
    // Vectors that do not fit are left to the shape rule, whose error then names what the user wrote.
    if constexpr (are_vectors_that_fit<A, B>()) {
      if constexpr (A::rank == 1)
        return squeeze((*this)(expand_dims(a, axis<0>), b), axis<(B::rank == 1 ? 0 : -2)>);
      else
        return squeeze((*this)(a, expand_dims(b, axis<1>)), axis<-1>);
    } else
      return call<struct matmul, attributes<>>(a, b);
  }
  ETCH_REFUSE_OPERANDS(struct matmul, this_call_has_the_wrong_number_of_operands, "(a, b)")
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    if (r.x[0].type().rank == 1 || r.x[1].type().rank == 1) return vjp_of_vectors(r);
    r.dx[0] = matmul_of(r.dy, matrix_transpose(r.x[1]));
    r.dx[1] = matmul_of(matrix_transpose(r.x[0]), r.dy);
  }

 private:
  static constexpr bool has_stack_axis(const tensor_type& x, const tensor_type& result, int axis) {
    const int own = axis - (result.rank - x.rank);
    return own >= 0 && (x.extents[own] != 1 || result.extents[axis] == 1);
  }
  template <class A, class B>
  static constexpr bool are_vectors_that_fit() {
    if constexpr (expression<A> && expression<B>) {
      if constexpr (A::rank > 0 && B::rank > 0 && (A::rank == 1 || B::rank == 1)) {
        extent_table table;
        inference context{table};
        const tensor_type a = A::shape_type::value(table, dtype::none), b = B::shape_type::value(table, dtype::none);
        return context.agree(a.extents[A::rank - 1], b.extents[B::rank > 1 ? B::rank - 2 : 0]);
      }
    }
    return false;
  }
  template <class V>
  static constexpr V matmul_of(V a, V b) {
    return emit<struct matmul>(words(), a, b);
  }
  /// On tapes, whose operands are as they were given: a row and a column.
  template <class V>
  static constexpr void vjp_of_vectors(const gradient_rule<V>& r) {
    const bool is_row = r.x[0].type().rank == 1, is_column = r.x[1].type().rank == 1;
    V x[] = {is_row ? with_one(r.x[0], 0) : r.x[0], is_column ? with_one(r.x[1], 1) : r.x[1]}, dx[2];
    V dy = is_column ? with_one(r.dy, r.dy.type().rank) : r.dy;
    if (is_row) dy = with_one(dy, dy.type().rank - 1);
    vjp(gradient_rule<V>{r.attributes, x, 2, r.y, dy, dx});
    r.dx[0] = is_row ? without_axis(dx[0], dx[0].type().rank - 2) : dx[0];
    r.dx[1] = is_column ? without_axis(dx[1], dx[1].type().rank - 1) : dx[1];
  }
  /// An axis of extent 1 more, which becomes axis `at`.
  template <class V>
  static constexpr V with_one(V x, int at) {
    tensor_type type = x.type();
    for (int i = type.rank++; i > at; --i) type.extents[i] = type.extents[i - 1];
    type.extents[at] = 1;
    return reshape.to(x, type);
  }
  template <class V>
  static constexpr V without_axis(V x, int at) {
    tensor_type type = x.type();
    --type.rank;
    for (int i = at; i < type.rank; ++i) type.extents[i] = type.extents[i + 1];
    return reshape.to(x, type);
  }
} matmul;

}  // namespace etch
