// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/reduction.hpp>

/// Where the extremes are.
namespace etch {

namespace detail {
/// A reduction along one axis to the index of an extreme, int64; the first of equal ones; the first NaN if there is one. Values is the
/// reduction to the extreme itself. Backends keep both, the value and where it is, and store the index alone.
/// An op adds `better(a, b)`, whether a is more extreme, and `as_good(a, b)`, whether b is no more extreme.
template <class Op, class Values>
struct arg_reduction : reduction<Op> {
  using values = Values;
  static constexpr bool differentiable = false, gives_indices = true;
  /// What is narrower than a register's lanes is compared in int32.
  static constexpr dtype result(dtype operand) {
    return size_of_dtype(operand) < 4 && contains(dtype_set::integer, operand) ? dtype::int32 : operand;
  }
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    return reduction<Op>::infer(context, in, count, w).with(dtype::int64);
  }
  template <operand_like X, int Axis>
  constexpr auto operator()(X of, axis_list<Axis>) const {
    const auto x = detail::as_result<Op>(of);
    if constexpr (handle<X>) {
      const int axes[] = {Axis};
      return emit<Op>(words(axes_mask(x.type().rank, axes, 1), 0), x);
    } else {
      constexpr int axis = detail::axis_of<Axis, X>;
      constexpr bool is_one = axis >= 0 && axis < X::rank;
      if constexpr (!is_one) raise<axis_out_of_range, in_op<Op>, shown<X>, attributes<axis>>();
      return call<Op, attributes<is_one ? std::int64_t{1} << axis : 0, 0>>(x);
    }
  }
  /// Over all elements, in row-major order.
  template <operand_like X>
    requires(!any_handle<X>)
  constexpr auto operator()(X x) const {
    return (*this)(reshape(x, shape<inferred>{}), axis<0>);
  }
  ETCH_REFUSE_OPERANDS(Op, name_the_axis_in_angle_brackets, "($, axis<0>)")
};
}  // namespace detail

/// The position of the largest element: `argmax(x, axis<1>)`.
inline constexpr struct argmax : detail::arg_reduction<struct argmax, struct max> {
  static constexpr const char* name = "argmax";
  template <class V>
  ETCH_HOST_DEVICE static constexpr auto as_good(const V& a, const V& b) {
    return a >= b;
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr auto better(const V& a, const V& b) {
    return a > b;
  }
} argmax;

/// The position of the smallest element: `argmin(x, axis<1>)`.
inline constexpr struct argmin : detail::arg_reduction<struct argmin, struct min> {
  static constexpr const char* name = "argmin";
  template <class V>
  ETCH_HOST_DEVICE static constexpr auto as_good(const V& a, const V& b) {
    return a <= b;
  }
  template <class V>
  ETCH_HOST_DEVICE static constexpr auto better(const V& a, const V& b) {
    return a < b;
  }
} argmin;

}  // namespace etch
