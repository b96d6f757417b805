// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/indexing.hpp>

/// Along one axis an index of each element's own.
namespace etch {

namespace detail {
/// What is wrong with indices into x along an axis, the other extents being those of x.
constexpr reason along_axis_failure(inference& context, const tensor_type& x, const tensor_type& indices, const words& w) {
  if (!is_integer(indices.type)) return reason::indices_are_not_integers;
  if (w[0] < 0 || w[0] >= x.rank) return reason::axis_out_of_range;
  if (indices.rank != x.rank) return reason::extents_differ;
  for (int i = 0; i < x.rank; ++i)
    if (i != w[0] && !context.agree(indices.extents[i], x.extents[i])) return reason::extents_differ;
  return reason::none;
}
}  // namespace detail

/// Elements of x along an axis by an index for each: `take_along_axis(x, argsort(x, axis<1>), axis<1>)`. The other positions are
/// the same. The indices have x's shape but for that axis, the result has theirs. An index outside [0, n) is clamped as in gather.
/// Attribute: the axis.
inline constexpr struct take_along_axis : opaque<struct take_along_axis, 2> {
  static constexpr const char* name = "take_along_axis";
  static constexpr bool takes_indices = true, copies_elements = true;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names = {{"axis"}};
  static constexpr unsigned batch(const words& axis, int) { return axis[0] != 0 ? detail::batch_of_all : 0; }
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    const reason wrong = detail::along_axis_failure(context, in[0], in[1], w);
    return wrong == reason::none ? in[1].with(in[0].type) : context.fail(wrong, in[0]);
  }
  template <operand_like X, operand_like I, int Axis>
  constexpr auto operator()(X x, I indices, axis_list<Axis>) const {
    return call<struct take_along_axis, attributes<detail::axis_of<Axis, X>>>(x, indices);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} take_along_axis;

/// x with each element of `updates` added at its index along an axis: `add_along_axis(x, indices, updates, axis<1>)`. Indices are
/// as in `take_along_axis`; several updates of one element all count. Attribute: the axis.
inline constexpr struct add_along_axis : opaque<struct add_along_axis, 3> {
  static constexpr const char* name = "add_along_axis";
  static constexpr bool changes_operand = true;
  static constexpr bool adds_updates(const words&) { return true; }
  static constexpr bool takes_indices = true;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names = {{"axis"}};
  static constexpr unsigned batch(const words& axis, int) { return axis[0] != 0 ? detail::batch_of_all : 0; }
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr int cost = 1;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    const reason wrong = detail::along_axis_failure(context, in[0], in[1], w);
    if (wrong != reason::none) return context.fail(wrong, in[0]);
    if (!contains(accepts, in[0].type)) return context.fail(why_not_accepted(in[0].type), in[0]);
    if (in[2].type != in[0].type) return context.fail(reason::dtypes_differ, in[0]);
    return context.agree(in[2], in[1]) ? in[0] : context.fail(reason::extents_differ, in[0]);
  }
  template <operand_like X, operand_like I, operand_like U, int Axis>
  constexpr auto operator()(X x, I indices, U updates, axis_list<Axis>) const {
    return call<struct add_along_axis, attributes<detail::axis_of<Axis, X>>>(x, indices, updates);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy;
    r.dx[2] = emit<struct take_along_axis>(r.attributes, r.dy, r.x[1]);
  }
} add_along_axis;

template <class V>
constexpr void take_along_axis::vjp(const gradient_rule<V>& r) {
  const V zeros = filled(r.dy, r.x[0].type(), 0);
  r.dx[0] = emit<struct add_along_axis>(r.attributes, zeros, r.x[1], r.dy);
}

}  // namespace etch
