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
    if (!contains(accepts, a.type)) return context.fail(reason::dtype_not_accepted, a);
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
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    return detail::refuse_op<this_call_has_the_wrong_number_of_operands, struct matmul, "(a, b)">(a...);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = matmul_of(r.dy, matrix_transpose(r.x[1]));
    r.dx[1] = matmul_of(matrix_transpose(r.x[0]), r.dy);
  }

 private:
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
} matmul;

}  // namespace etch
