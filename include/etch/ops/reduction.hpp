// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/cumulative.hpp>
#include <etch/ops/rounding.hpp>

/// Reductions over any axes: `sum(x)`, `sum(x, axis<1>)`, `sum(x, axis<0, -1>, keep_dims)`.
namespace etch {

namespace detail {

/// The type of a reduction's result with its axes kept at extent 1.
constexpr tensor_type kept_type(const tensor_type& x, std::int64_t mask) {
  tensor_type t = x;
  for (int i = 0; i < t.rank; ++i)
    if ((mask >> i & 1) != 0) t.extents[i] = 1;
  return t;
}
/// A reduction's result (or its gradient) in a shape that broadcasts against the operand.
template <class V>
constexpr V kept(const gradient_rule<V>& r, V reduced) {
  return reshape.to(reduced, kept_type(r.x[0].type(), r.attributes[0]));
}

}  // namespace detail

/// What a reduction of nothing is, and of two.
#define ETCH_COMBINES(IDENTITY, COMBINED)                               \
  template <class V>                                                    \
  ETCH_HOST_DEVICE static constexpr V identity() {                      \
    return V(IDENTITY);                                                 \
  }                                                                     \
  template <class V>                                                    \
  ETCH_HOST_DEVICE static constexpr V combine(const V& a, const V& b) { \
    return V(COMBINED);                                                 \
  }

/// The sum; 0 of nothing. Of bools and of integers of 8 and 16 bits it is int64; others wrap around. Of floats, on the
/// CPU, no element takes part in more than 800 additions, up to 2^32 elements: the error is at most 800 roundings of the sum of the
/// magnitudes, usually a few.
inline constexpr struct sum : reduction<struct sum> {
  static constexpr const char* name = "sum";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr dtype_set accepts = dtype_set::computed;
  static constexpr dtype result(dtype operand) { return dtype_of_sums(operand); }
  ETCH_COMBINES(0, math::add(a, b))
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = broadcast_to.to(detail::kept(r, r.dy), r.x[0].type());
  }
} sum;

/// The product; 1 of nothing. Of dtypes as for `sum`. Its gradients, of any order, are right with zeros among the elements too.
inline constexpr struct prod : reduction<struct prod> {
  static constexpr const char* name = "prod";
  static constexpr dtype_set accepts = dtype_set::computed;
  static constexpr dtype result(dtype operand) { return dtype_of_sums(operand); }
  ETCH_COMBINES(1, math::multiply(a, b))
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} prod;

namespace detail {
/// Each of several equal extremes gets an equal part of the gradient.
template <class Op>
struct extreme : reduction<Op> {
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    const V chosen = emit<cast>(words(static_cast<int>(r.dy.type().type)), r.x[0] == kept(r, r.y));
    const V count = emit<struct sum>(words(r.attributes[0], 1), chosen);
    r.dx[0] = chosen * (kept(r, r.dy) / count);
  }
};
}  // namespace detail

/// The largest element; NaN if there is one; of zeros 0 before -0; the lowest value (-inf) of nothing. Elements that are equally
/// large get equal parts of the gradient.
inline constexpr struct max : detail::extreme<struct max> {
  static constexpr const char* name = "max";
  static constexpr fixed_string name_of_two = "maximum";
  ETCH_COMBINES(math::lowest<V>(), math::maximum(a, b))
} max;

/// The smallest element; NaN if there is one; of zeros -0 before 0; the highest value (inf) of nothing. Elements that are equally
/// small get equal parts of the gradient.
inline constexpr struct min : detail::extreme<struct min> {
  static constexpr const char* name = "min";
  static constexpr fixed_string name_of_two = "minimum";
  ETCH_COMBINES(math::highest<V>(), math::minimum(a, b))
} min;

/// Whether any element is true; false of nothing. NumPy calls it `any`, which is here the name of named extents.
inline constexpr struct reduce_any : reduction<struct reduce_any> {
  static constexpr const char* name = "reduce_any";
  static constexpr dtype_set accepts = dtype_set::boolean;
  static constexpr bool differentiable = false;
  ETCH_COMBINES(false, (a || b))
} reduce_any;

/// Whether all elements are true; true of nothing. NumPy calls it `all`.
inline constexpr struct reduce_all : reduction<struct reduce_all> {
  static constexpr const char* name = "reduce_all";
  static constexpr dtype_set accepts = dtype_set::boolean;
  static constexpr bool differentiable = false;
  ETCH_COMBINES(true, (a && b))
} reduce_all;

namespace detail {
/// For each element, the product of all others that a reduction over these axes combines it with: of those before it and of
/// those behind it. No element is divided by, so that it is right, and has the right derivatives, where some are zero.
template <class V>
constexpr V product_of_others(V x, std::int64_t mask) {
  const tensor_type type = x.type();
  // The reduced axes side by side, where the first of them is, and then as one.
  words order, inverse;
  for (int i = 0; i < type.rank; ++i) {
    if ((mask >> i & 1) == 0) {
      order.push_back(i);
    } else if ((mask & ((std::int64_t{1} << i) - 1)) == 0) {
      for (int k = i; k < type.rank; ++k)
        if ((mask >> k & 1) != 0) order.push_back(k);
    }
  }
  inverse = order;
  for (int i = 0; i < order.count; ++i) inverse.at[order[i]] = i;
  const V sorted = emit<struct transpose>(order, x);
  tensor_type flat = type;
  flat.rank = 0;
  int axis = -1;
  for (int i = 0; i < type.rank; ++i) {
    const extent_value extent = type.extents[order[i]];
    const bool reduced = (mask >> order[i] & 1) != 0;
    if (reduced && axis >= 0) {
      flat.extents[axis] = extents_of(x).product(flat.extents[axis], extent);
      continue;
    }
    if (reduced) axis = flat.rank;
    flat.extents[flat.rank++] = extent;
  }
  const V line = reshape.to(sorted, flat);
  const V others = emit<struct cumprod>(words(axis, 2), line) * emit<struct cumprod>(words(axis, 3), line);
  return emit<struct transpose>(inverse, reshape.to(others, sorted.type()));
}
}  // namespace detail

template <class V>
constexpr void prod::vjp(const gradient_rule<V>& r) {
  const V dy = detail::kept(r, r.dy);
  r.dx[0] = r.attributes[0] == 0 ? dy : dy * detail::product_of_others(r.x[0], r.attributes[0]);
}

#undef ETCH_COMBINES

}  // namespace etch
