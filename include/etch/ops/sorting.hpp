// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/ops/axis_indexing.hpp>
#include <etch/ops/derived_shape.hpp>

/// Elements in order. NaN comes last, in either direction.
namespace etch {

/// From the largest element on: `sort(x, axis<1>, descending)`.
inline constexpr struct descending {
} descending;

namespace detail {
/// x with an axis and the last one exchanged: its own inverse.
template <int Axis, operand_like X>
constexpr auto with_last(X x) {
  constexpr int axis = detail::axis_of<Axis, X>;
  if constexpr (axis == X::rank - 1) {
    return x;
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return transpose(x, axis_list<(I == axis ? X::rank - 1 : I == X::rank - 1 ? axis : I)...>{});
    }(std::make_integer_sequence<int, X::rank>{});
  }
}

/// Orders lines along the last axis, which is contiguous in the result; the call brings another axis there, by strides. Attributes:
/// 1 from the largest on; how many elements are wanted of each line (-1: all).
template <class Op>
struct ordering : opaque<Op, 1> {
  static constexpr attribute_names names = {{"descending", attribute_kind::flag}, {"count"}};
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr int cost = 10;
  static constexpr unsigned batch(const words&, int rank) { return rank > 1 ? detail::batch_of_all : 0; }
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (r.rank < 1) return context.fail(reason::rank_too_small, r);
    if (!contains(accepts, r.type)) return context.fail(why_not_accepted(r.type), r);
    extent_value& n = r.extents[r.rank - 1];
    if (w[1] >= 0 && (!is_static(n) || w[1] > n)) return context.fail(reason::slice_out_of_range, in[0]);
    if (w[1] >= 0) n = w[1];
    return r;
  }
  template <operand_like X, int Axis = -1>
  constexpr auto operator()(X x, axis_list<Axis> = {}) const {
    return along<Axis, 0, -1>(x);
  }
  template <operand_like X, int Axis>
  constexpr auto operator()(X x, axis_list<Axis>, struct descending) const {
    return along<Axis, 1, -1>(x);
  }

 protected:
  template <int Axis, std::int64_t Descending, std::int64_t Count, operand_like X>
  static constexpr auto along(X x) {
    if constexpr (Axis < -X::rank || Axis >= X::rank)
      return detail::refusal<axis_out_of_range, in_op<Op>, shown<X>, axis_list<Axis>>(x);
    else
      return with_last<Axis>(call<Op, attributes<Descending, Count>>(with_last<Axis>(x)));
  }
};
}  // namespace detail

/// The positions, int64, of the elements along an axis in ascending order: `argsort(x, axis<0>)`. The last axis where none is
/// named; with `descending` from the largest on. NaN comes last, either way. Stable: of equal elements (0 and -0 too, and NaN) the
/// first comes first, either way.
inline constexpr struct argsort : detail::ordering<struct argsort> {
  static constexpr const char* name = "argsort";
  static constexpr bool gives_indices = true;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    return ordering::infer(context, in, count, w).with(dtype::int64);
  }
  /// The first `Count` of them from the largest on, for `top_k`. Of an axis with a named extent all are ordered: a slice is what is
  /// checked when data is fed.
  template <int Count, int Axis, operand_like X>
  static constexpr auto largest(X x) {
    constexpr int axis = detail::axis_of<Axis, X>;
    constexpr bool named = [] {
      if constexpr (expression<X> && axis >= 0 && axis < X::rank)
        return !std::is_integral_v<std::remove_cvref_t<decltype(extent_along<axis>(typename X::shape_type{}))>>;
      else
        return false;
    }();
    if constexpr (named)
      return detail::part_along<axis, 0, Count>(along<Axis, 1, -1>(x));
    else
      return along<Axis, 1, Count>(x);
  }
} argsort;

/// The elements along an axis in ascending order: `sort(x, axis<0>)`. The last axis where none is named; with `descending` from the
/// largest on. NaN comes last, either way; -0 comes before 0.
inline constexpr struct sort : detail::ordering<struct sort> {
  static constexpr const char* name = "sort";
  static constexpr slope_kind slope = slope_kind::fixed;
  /// Each element's gradient goes back to where it came from; of zeros of two signs, which are sorted and equal for `argsort`, to either.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    const V from = emit<struct argsort>(r.attributes, r.x[0]);
    const V zeros = filled(r.dy, r.x[0].type(), 0);
    r.dx[0] = emit<struct add_along_axis>(words(r.x[0].type().rank - 1), zeros, from, r.dy);
  }
} sort;

/// The `Count` largest elements along an axis in descending order, and their positions. A tuple:
/// `const auto [values, positions] = top_k<5>(x, axis<1>)`, along the last axis where none is named. Of equal elements the first is
/// taken, NaN only where nothing else is left. An axis has at least `Count` elements.
template <int Count, operand_like X, int Axis = -1>
constexpr auto top_k(X x, axis_list<Axis> a = {}) {
  static_assert(Count >= 0, "top_k: the count is negative");
  const auto positions = argsort.largest<Count, Axis>(x);
  return std::tuple{take_along_axis(x, positions, a), positions};
}

}  // namespace etch
