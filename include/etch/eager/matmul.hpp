// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/product/contraction.hpp>
#include <etch/eager/refusal.hpp>

/// Products of matrices and stacks of them, of values: one kernel for each dtype.
namespace etch::eager {

/// A matrix of `rows` x `columns` sums over `inner` products. Strides are in elements.
struct product {
  std::int64_t rows, columns, inner;
  std::int64_t a_row, a_column, b_row, b_column;
};
using product_function = void (*)(const product&, const char* a, const char* b, char* to, char* workspace);
/// The elements that the workspace of such a product has.
using workspace_function = std::int64_t (*)(const product&);

template <dtype D>
void multiply(const product& p, const char* a, const char* b, char* to, char* workspace) {
  using T = value_type_of<D>;
  cpu::matmul(p.rows, p.columns, p.inner, cpu::matrix<T>{reinterpret_cast<const T*>(a), p.a_row, p.a_column},
              cpu::matrix<T>{reinterpret_cast<const T*>(b), p.b_row, p.b_column},
              cpu::product_team<T>{reinterpret_cast<T*>(workspace)}, cpu::store_rows<T>{reinterpret_cast<T*>(to), p.columns});
}
template <dtype D>
std::int64_t workspace_of(const product& p) {
  return cpu::matmul_workspace<value_type_of<D>>(p.rows, p.columns, p.inner, p.a_column == 1);
}

/// The functions of one dtype.
struct multiplication {
  product_function multiply;
  workspace_function workspace;
};

/// An operand: perhaps with its last two axes exchanged, which then costs no copy.
struct factor {
  const value* of;
  bool is_transposed = false;

  tensor_type described() const {
    tensor_type t = of->described();
    if (is_transposed) std::swap(t.extents[t.rank - 2], t.extents[t.rank - 1]);
    return t;
  }
};

namespace detail {
/// The type of a product, in which a vector is a row on the left and a column on the right, whose axis the result lacks; else why
/// there is none.
inline tensor_type infer_product(const tensor_type& a, const tensor_type& b, product& p, reason& why, const op_facts& op) {
  tensor_type types[2] = {a, b};
  if (a.rank == 1) {
    types[0].rank = 2;
    types[0].extents[1] = a.extents[0];
    types[0].extents[0] = 1;
  }
  if (b.rank == 1) {
    types[1].rank = 2;
    types[1].extents[1] = 1;
  }
  inference context{no_names};
  tensor_type r = op.infer(context, types, 2, words());
  why = context.failure;
  if (why != reason::none) return r;
  p.rows = types[0].extents[types[0].rank - 2];
  p.inner = types[0].extents[types[0].rank - 1];
  p.columns = types[1].extents[types[1].rank - 1];
  if (a.rank == 1) {
    r.extents[r.rank - 2] = r.extents[r.rank - 1];
    --r.rank;
  }
  if (b.rank == 1) --r.rank;
  return r;
}
}  // namespace detail

/// The product a b, as the op says.
inline void multiply_all(const op_facts& op, const multiplication& run, factor a, factor b, value& out) {
  const tensor_type ta = a.described(), tb = b.described();
  product p{};
  reason why = reason::none;
  const tensor_type type = detail::infer_product(ta, tb, p, why, op);
  if (why != reason::none) {
    const value* const in[] = {a.of, b.of};
    refuse(op, why, in, 2);
  }
  p.a_row = a.is_transposed ? 1 : p.inner;
  p.a_column = a.is_transposed ? p.rows : 1;
  p.b_row = b.is_transposed ? 1 : p.columns;
  p.b_column = b.is_transposed ? p.inner : 1;
  value made(type);
  tensor_type room;
  room.type = type.type;
  room.rank = 1;
  room.extents[0] = run.workspace(p);
  const value workspace = room.extents[0] > 0 ? value(room) : value();
  // Stacks, whose axes repeat where one operand has extent 1.
  const int a_stack = ta.rank > 2 ? ta.rank - 2 : 0, b_stack = tb.rank > 2 ? tb.rank - 2 : 0;
  const int axes = a_stack > b_stack ? a_stack : b_stack;
  const std::int64_t size = size_of_dtype(type.type);
  std::int64_t count = 1, index[max_rank] = {}, a_step[max_rank] = {}, b_step[max_rank] = {};
  for (int i = 0; i < axes; ++i) count *= type.extents[i];
  const auto fill = [&](const tensor_type& t, int stack, std::int64_t step, std::int64_t* steps) {
    for (int i = stack; i-- > 0; step *= t.extents[i]) steps[i + axes - stack] = t.extents[i] == 1 ? 0 : step;
  };
  fill(ta, a_stack, p.rows * p.inner * size, a_step);
  fill(tb, b_stack, p.inner * p.columns * size, b_step);
  const char *x = a.of->bytes(), *y = b.of->bytes();
  char* to = made.bytes();
  for (std::int64_t n = 0; n < count; ++n, to += p.rows * p.columns * size) {
    run.multiply(p, x, y, to, const_cast<char*>(workspace.bytes()));
    for (int i = axes; i-- > 0;) {
      x += a_step[i];
      y += b_step[i];
      if (++index[i] < type.extents[i]) break;
      x -= a_step[i] * index[i];
      y -= b_step[i] * index[i];
      index[i] = 0;
    }
  }
  out = std::move(made);
}

}  // namespace etch::eager
