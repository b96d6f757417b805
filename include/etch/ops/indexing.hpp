// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/axes.hpp>
#include <etch/ops/reduction.hpp>

/// Rows chosen by integers, and the numbers 0, 1, 2, ...
namespace etch {

/// Elements of x along an axis by index: `gather(x, indices)`, `gather(x, indices, axis<1>)`. The result has x's shape with that of
/// the indices in the place of the axis (NumPy's `take`). An index outside [0, n) is clamped into that range, as XLA does: kernels
/// do not throw. Of an axis without elements every result is 0. Attribute: the axis.
inline constexpr struct gather : opaque<struct gather, 2> {
  static constexpr const char* name = "gather";
  static constexpr bool takes_indices = true, copies_elements = true;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names = {{"axis"}};
  static constexpr unsigned batch(const words& axis, int) { return axis[0] == 0 ? 0b101 : 0b011; }
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    const int axis = static_cast<int>(w[0]);
    tensor_type r = in[0];
    if (!is_integer(in[1].type)) return context.fail(reason::indices_are_not_integers, in[0]);
    if (in[0].rank < 1) return context.fail(reason::rank_too_small, in[0]);
    if (axis < 0 || axis >= in[0].rank) return context.fail(reason::axis_out_of_range, in[0]);
    if (in[0].rank + in[1].rank - 1 > max_rank) return context.fail(reason::too_many_axes, in[0]);
    r.rank = axis;
    for (int i = 0; i < in[1].rank; ++i) r.extents[r.rank++] = in[1].extents[i];
    for (int i = axis + 1; i < in[0].rank; ++i) r.extents[r.rank++] = in[0].extents[i];
    return r;
  }
  template <operand_like X, operand_like I, int Axis = 0>
  constexpr auto operator()(X x, I indices, axis_list<Axis> = {}) const {
    return call<struct gather, attributes<detail::axis_of<Axis, X>>>(x, indices);
  }
  ETCH_REFUSE_OPERANDS(struct gather, name_the_axis_in_angle_brackets, "(x, indices, axis<0>)")
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} gather;

/// x with each row of `updates` added to the row that `indices` names; several updates of one row all count. An index
/// outside [0, n) is clamped as in gather.
inline constexpr struct scatter_add : opaque<struct scatter_add, 3> {
  static constexpr const char* name = "scatter_add";
  static constexpr bool changes_operand = true;
  static constexpr bool adds_updates(const words&) { return true; }
  static constexpr bool takes_indices = true;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr dtype_set accepts = dtype_set::computed;
  static constexpr int cost = 1;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words&) {
    if (!is_integer(in[1].type)) return context.fail(reason::indices_are_not_integers, in[0]);
    if (in[0].rank < 1) return context.fail(reason::rank_too_small, in[0]);
    if (!contains(accepts, in[0].type)) return context.fail(why_not_accepted(in[0].type), in[0]);
    if (in[2].type != in[0].type) return context.fail(reason::dtypes_differ, in[0]);
    if (in[2].rank != in[1].rank + in[0].rank - 1) return context.fail(reason::extents_differ, in[0]);
    for (int i = 0; i < in[1].rank; ++i)
      if (!context.agree(in[2].extents[i], in[1].extents[i])) return context.fail(reason::extents_differ, in[0]);
    for (int i = 1; i < in[0].rank; ++i)
      if (!context.agree(in[2].extents[in[1].rank + i - 1], in[0].extents[i])) return context.fail(reason::extents_differ, in[0]);
    return in[0];
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy;
    r.dx[2] = emit<struct gather>(words(0), r.dy, r.x[1]);
  }
} scatter_add;

/// Along another axis than the first, with that axis brought to the front.
template <class V>
constexpr void gather::vjp(const gradient_rule<V>& r) {
  const int axis = static_cast<int>(r.attributes[0]);
  const int rank = r.x[0].type().rank, indices = r.x[1].type().rank;
  tensor_type type = r.x[0].type();
  V dy = r.dy;
  words order, back;
  if (axis > 0) {
    words updates;
    for (int i = 0; i < indices; ++i) updates.push_back(axis + i);
    for (int i = 0; i < rank + indices - 1; ++i)
      if (i < axis || i >= axis + indices) updates.push_back(i);
    dy = emit<struct transpose>(updates, dy);
    for (int i = 0; i < rank; ++i) {
      order.push_back(i == 0 ? axis : i <= axis ? i - 1 : i);
      back.push_back(i == axis ? 0 : i < axis ? i + 1 : i);
      type.extents[i] = r.x[0].type().extents[order[i]];
    }
  }
  const V zeros = filled(r.dy, type, 0);
  const V added = emit<struct scatter_add>(words(), zeros, r.x[1], dy);
  r.dx[0] = axis > 0 ? emit<struct transpose>(back, added) : added;
}

/// The index along one axis, as an element: iota over axis 1 of (2, 3) is {{0, 1, 2}, {0, 1, 2}}. Attribute: the axis.
struct iota : source_defaults {
  static constexpr const char* name = "iota";
  static constexpr op_role role = op_role::index;
  static constexpr attribute_names names = {{"axis"}};
};

/// 0, 1, ..., n - 1: `arange<int>(shape<10>{})`.
template <class T, auto Extent>
constexpr auto arange(shape<Extent>) {
  using to = canonical_shape<Extent>;
  if constexpr (!detail::is_possible<to>) detail::refuse_shape<to, in_function<"arange">, operand<T, shown_shape<to>>>();
  return make_node_of<iota, T, detail::possible_shape<to>, attributes<0>>();
}
template <class T, class... A>
  requires(!detail::is_shape<T> && !(detail::is_shape<A> || ...))
constexpr auto arange(const A&... a) {
  return detail::refuse_function<name_the_shape_in_angle_brackets, "arange", "arange<int>(shape<10>{})">(a...);
}
template <auto... Extents>
constexpr auto arange(shape<Extents...> s) {
  return detail::refuse_function<name_the_dtype_in_angle_brackets, "arange", "arange<int>(shape<10>{})">(s);
}

namespace detail {
/// Whether T holds every index below an extent; below a named one, where it has 32 bits.
template <class T, auto Extent>
constexpr bool holds_indices() {
  if constexpr (sizeof(T) < sizeof(std::int32_t) && std::is_integral_v<std::remove_cvref_t<decltype(Extent)>>)
    return static_cast<std::int64_t>(Extent) - 1 <= static_cast<std::int64_t>(std::numeric_limits<T>::max());
  else
    return sizeof(T) >= sizeof(std::int32_t);
}
/// Indices in the dtype in which they are compared with 0, 1, ..., which wrap around in one that does not hold them: of 8 bits 261 is 5.
template <bool Holds, operand_like I>
constexpr auto comparable_indices(I indices) {
  if constexpr (Holds)
    return indices;
  else
    return astype<std::int32_t>(indices);
}
/// Labels in the dtype in which they are compared with the classes along the last axis of X. Labels that are no integers stay.
template <class X, operand_like I>
constexpr auto comparable_labels(I labels) {
  using T = typename I::value_type;
  constexpr bool holds = [] {
    if constexpr (!is_integer(dtype_of<T>))
      return true;
    else if constexpr (evaluated<X>)
      return sizeof(T) >= sizeof(std::int32_t);
    else
      return holds_indices<T, extent_along<-1>(typename X::shape_type{})>();
  }();
  return comparable_indices<holds>(labels);
}
}  // namespace detail

/// A new last axis of extent `Count`: 1 at the index, 0 elsewhere (also for an index outside [0, Count)).
template <int Count, class T = float, operand_like I>
constexpr auto one_hot(I indices) {
  if constexpr (!is_integer(dtype_of<typename I::value_type>)) raise<indices_are_not_integers, in_function<"one_hot">, shown<I>>();
  if constexpr (!detail::is_possible<shape<Count>>) {
    detail::refuse_shape<shape<Count>, in_function<"one_hot">, shown<I>, literal_value<Count>>();
    return detail::refused(indices);
  } else {
    const auto at = detail::comparable_indices<detail::holds_indices<typename I::value_type, Count>()>(indices);
    return astype<T>(expand_dims(at, axis<-1>) == arange<typename decltype(at)::value_type>(shape<Count>{}));
  }
}
template <int Count, class T = float, class... A>
  requires(!operand_like<A> && ...)
constexpr auto one_hot(const A&... a) {
  return detail::refuse_function<this_call_has_the_wrong_arguments, "one_hot", "one_hot<10>($)">(a...);
}
ETCH_REFUSE_CALLS(one_hot, name_the_number_of_classes_in_angle_brackets, "one_hot<10>($)")

}  // namespace etch
