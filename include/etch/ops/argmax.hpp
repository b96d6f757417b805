// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/movement.hpp>

/// Where the extremes are.
namespace etch {

namespace detail {
/// The index of an extreme along one axis, int64; the first of equal ones; the first NaN if there is one.
template <class Op>
struct arg_reduction : opaque<Op, 1> {
  static constexpr unsigned batch(const words& axis, int) { return axis[0] != 0 ? detail::batch_of_all : 0; }
  static constexpr attribute_names names = {{"axis"}};
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0].with(dtype::int64);
    if (w[0] < 0 || w[0] >= r.rank) return context.fail(reason::axis_out_of_range, r);
    if (!contains(accepts, in[0].type)) return context.fail(why_not_accepted(in[0].type), r);
    for (int i = static_cast<int>(w[0]); i + 1 < r.rank; ++i) r.extents[i] = r.extents[i + 1];
    --r.rank;
    return r;
  }
  template <operand_like X, int Axis>
  constexpr auto operator()(X x, axis_list<Axis>) const {
    return call<Op, attributes<detail::axis_of<Axis, X>>>(x);
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
inline constexpr struct argmax : detail::arg_reduction<struct argmax> {
  static constexpr const char* name = "argmax";
  template <class V>
  ETCH_HOST_DEVICE static constexpr auto better(const V& a, const V& b) {
    return a > b;
  }
} argmax;

/// The position of the smallest element: `argmin(x, axis<1>)`.
inline constexpr struct argmin : detail::arg_reduction<struct argmin> {
  static constexpr const char* name = "argmin";
  template <class V>
  ETCH_HOST_DEVICE static constexpr auto better(const V& a, const V& b) {
    return a < b;
  }
} argmin;

}  // namespace etch
