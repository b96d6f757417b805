// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/ops/derived_shape.hpp>
#include <etch/ops/slicing.hpp>

/// Arrays made of several, and several made of one.
namespace etch {

/// Operands one after another along an axis: `concat(axis<1>, a, b)`. Attribute: the axis.
inline constexpr struct concat : opaque<struct concat, -1> {
  static constexpr const char* name = "concat";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names = {{"axis"}};
  static constexpr unsigned batch(const words& axis, int) { return axis[0] != 0 ? detail::batch_of_all : 0; }
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    tensor_type r = in[0];
    if (w[0] < 0 || w[0] >= r.rank) return context.fail(reason::axis_out_of_range, r);
    for (int k = 1; k < count; ++k) {
      if (in[k].type != r.type) return context.fail(reason::dtypes_differ, in[0]);
      if (in[k].rank != r.rank) return context.fail(reason::extents_differ, in[0]);
      for (int i = 0; i < r.rank; ++i)
        if (i != w[0] && !context.agree(in[k].extents[i], r.extents[i])) return context.fail(reason::extents_differ, in[0]);
      r.extents[w[0]] = context.extents.sum(r.extents[w[0]], in[k].extents[w[0]]);
    }
    return r;
  }
  template <int Axis, operand_like X, operand_like... Rest>
  constexpr auto operator()(axis_list<Axis>, X x, Rest... rest) const {
    return call<struct concat, attributes<detail::axis_of<Axis, X>>>(x, rest...);
  }
  ETCH_REFUSE_OPERANDS(struct concat, name_the_axis_in_angle_brackets, "(axis<0>, x, y)")
  template <class... A>
  constexpr auto operator()(detail::any_braces braces, const A&... a) const {
    return detail::refuse_op<expressions_are_named_one_by_one_without_braces, struct concat, "(axis<0>, x, y)">(braces, a...);
  }
  template <int Axis>
  constexpr auto operator()(axis_list<Axis>, detail::any_braces braces) const {
    return detail::refuse_op<expressions_are_named_one_by_one_without_braces, struct concat, "(axis<0>, x, y)">(axis<Axis>, braces);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    // Where an operand's extent is named, the next one's slice begins at a named extent.
    extent_table& table = extents_of(r.dy);
    const int axis = static_cast<int>(r.attributes[0]);
    extent_value begin = 0;
    for (int k = 0; k < r.count; ++k) {
      const tensor_type type = r.x[k].type();
      const extent_value end = table.sum(begin, type.extents[axis]);
      words w;
      for (int i = 0; i < type.rank; ++i) {
        w.push_back(i == axis ? begin : 0);
        w.push_back(i == axis ? end : to_end);
        w.push_back(1);
      }
      begin = end;
      r.dx[k] = emit_as<struct slice>(w, type, r.dy);
    }
  }
} concat;

namespace detail {
/// The gradient of a slice that begins at a named extent of one axis, as the gradient of `concat` does.
template <class V>
constexpr V between_zeros(const gradient_rule<V>& r, int axis) {
  extent_table& table = extents_of(r.dy);
  tensor_type before = r.dy.type(), following = before;
  before.extents[axis] = r.attributes[3 * axis];
  following.extents[axis] = table.difference(r.x[0].type().extents[axis], r.attributes[3 * axis + 1]);
  return emit<struct concat>(words(axis), filled(r.dy, before, 0), r.dy, filled(r.dy, following, 0));
}
}  // namespace detail

/// Here, since where a slice begins at a named extent its gradient is a concatenation.
template <class V>
constexpr void slice::vjp(const gradient_rule<V>& r) {
  for (int i = 0; i < r.attributes.count / 3; ++i)
    if (!is_static(r.attributes[3 * i])) {
      r.dx[0] = detail::between_zeros(r, i);
      return;
    }
  words w;
  for (int i = 0; i < r.x[0].type().rank; ++i) {
    const bool named = 3 * i < r.attributes.count;
    const extent_value n = r.x[0].type().extents[i], left = r.dy.type().extents[i];
    const std::int64_t step = named ? r.attributes[3 * i + 2] : 1;
    const std::int64_t begin = named ? r.attributes[3 * i] : 0;
    w.push_back(left == 0 ? 0 : is_static(n) ? begin_of(n, begin, step) : begin);
    w.push_back(0);
    w.push_back(left == 0 || left == 1 ? 1 : step);  // of one element, perhaps a step that leads far outside
  }
  r.dx[0] = emit_as<struct pad>(w, r.x[0].type(), r.dy);
}

namespace detail {
/// Of eager tensors that shows when they are joined.
template <class X, class... Rest>
constexpr bool have_one_shape() {
  if constexpr (evaluated<X> || (evaluated<Rest> || ...))
    return true;
  else
    return (may_be_alike<typename Rest::shape_type, typename X::shape_type> && ...);
}
}  // namespace detail

/// Operands of one shape along a new axis.
template <int Axis, operand_like X, operand_like... Rest>
constexpr auto stack(axis_list<Axis>, X x, Rest... rest) {
  if constexpr (Axis < -X::rank - 1 || Axis > X::rank) {
    return detail::refusal<axis_out_of_range, in_function<"stack">, shown<X>, axis_list<Axis>>(x, rest...);
  } else if constexpr (!detail::have_one_shape<X, Rest...>()) {
    raise<extents_differ, in_function<"stack">, shown<X>, shown<Rest>...>();
    return expand_dims(detail::refused(x, rest...), axis<Axis>);
  } else {
    return concat(axis<(Axis < 0 ? Axis + X::rank + 1 : Axis)>, expand_dims(x, axis<Axis>), expand_dims(rest, axis<Axis>)...);
  }
}
ETCH_REFUSE_CALLS(stack, name_the_axis_in_angle_brackets, "stack(axis<0>, x, y)")
template <class... A>
constexpr auto stack(detail::any_braces braces, const A&... a) {
  return detail::refuse_function<expressions_are_named_one_by_one_without_braces, "stack", "stack(axis<0>, x, y)">(braces, a...);
}

namespace detail {
/// An axis of Count times n elements as two, of Count and n.
template <int Axis, int Count>
struct axis_in_parts {
  using where = rule_of<"split">;
  static constexpr std::int64_t divisor = Count;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    if (Axis < 0 || Axis >= x.rank) return context.fail(reason::axis_out_of_range, x);
    if (x.rank == max_rank) return context.fail(reason::too_many_axes, x);
    tensor_type r = x;
    for (int i = r.rank++; i > Axis; --i) r.extents[i] = r.extents[i - 1];
    r.extents[Axis] = Count;
    r.extents[Axis + 1] = context.extents.quotient(x.extents[Axis], Count);
    return r.extents[Axis + 1] == unknown_extent ? context.fail(reason::extent_has_no_such_parts, x) : r;
  }
};
}  // namespace detail

/// x in `Count` parts of equal extent along an axis, as a tuple: `const auto [a, b] = split<2>(x, axis<0>)`. The extent is a multiple
/// of Count, and x has at most 7 axes.
template <int Count, operand_like X, int Axis>
constexpr auto split(X x, axis_list<Axis>) {
  static_assert(Count > 0, "split: there is at least one part");
  constexpr int at = detail::axis_of<Axis, X>;
  const auto parts = detail::reshaped_by<detail::axis_in_parts<at, Count>>(x);
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    if constexpr (decltype(parts)::rank == X::rank)
      return std::tuple{(I >= 0 ? parts : parts)...};  // refused
    else
      return std::tuple{squeeze(detail::part_along<at, I, I + 1>(parts), axis<at>)...};
  }(std::make_integer_sequence<int, Count>{});
}

ETCH_REFUSE_CALLS(split, name_the_axis_in_angle_brackets, "split<2>($, axis<0>)", int Count)
ETCH_REFUSE_CALLS(split, name_the_number_of_parts_in_angle_brackets, "split<2>($, axis<0>)")

}  // namespace etch
