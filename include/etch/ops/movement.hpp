// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/families.hpp>

/// Ops that place elements elsewhere: each is an index map, and most become strides instead of copies.
namespace etch {

namespace rules {
constexpr extent_value element_count(extent_table& table, const tensor_type& t) {
  extent_value n = 1;
  for (int i = 0; i < t.rank; ++i) n = table.product(n, t.extents[i]);
  return n;
}
}  // namespace rules

/// The same elements in row-major order under another shape: `reshape(x, shape<2, inferred>{})`.
inline constexpr struct reshape : movement {
  static constexpr const char* name = "reshape";
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }

  template <expression X, auto... Extents>
  constexpr auto operator()(X x, shape<Extents...>) const {
    if constexpr (detail::is_literal<X>) {
      return (*this)(X::node(), shape<Extents...>{});
    } else {
      using target = target_of<typename X::value_type, typename X::shape_type, canonical_shape<Extents...>>;
      if constexpr (target::value.failure != reason::none) {
        raise<reshape_changes_the_number_of_elements, in_op<struct reshape>, shown<X>,
              shown_shape<canonical_shape<Extents...>>>();
        return x;
      } else if constexpr (std::is_same_v<typename target::shape_type, typename X::shape_type>) {
        return x;
      } else {
        return make_node_of<struct reshape, typename X::value_type, typename target::shape_type, attributes<>>(x);
      }
    }
  }
  template <eager X, auto... Extents>
  constexpr auto operator()(const X& x, shape<Extents...> to) const {
    return evaluate_now(*this, x, to);
  }
  /// To a given shape, in gradient rules.
  static constexpr ref to(ref x, const tensor_type& type) {
    if (x.type().same_shape(type)) return x;
    return append(info_of<struct reshape>, words(), type.with(x.type().type), &x, 1);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = to(r.dy, r.x[0].type());
  }
  /// Replaces the one `inferred` extent of `target`; an error where the element counts cannot agree.
  static constexpr tensor_type resolve(inference& context, const tensor_type& from, tensor_type target) {
    extent_value known = 1;
    int open = -1;
    for (int i = 0; i < target.rank; ++i) {
      if (target.extents[i] != inferred)
        known = context.extents.product(known, target.extents[i]);
      else if (open >= 0)
        return context.fail(reason::reshape_changes_the_number_of_elements, from);
      else
        open = i;
    }
    const extent_value all = rules::element_count(context.extents, from);
    if (open >= 0) {
      target.extents[open] = context.extents.quotient(all, known);
      if (target.extents[open] == unknown_extent)
        return context.fail(reason::reshape_changes_the_number_of_elements, from);
    } else if (known != all) {
      return context.fail(reason::reshape_changes_the_number_of_elements, from);
    }
    return target.with(from.type);
  }

 private:
  template <class T, class From, class To>
  struct target_of {
    struct result : typed_shape {
      reason failure = reason::none;
    };
    static constexpr result value = [] {
      result r;
      const tensor_type from = From::value(r.table, dtype_of<T>);
      const tensor_type to = To::value(r.table, dtype_of<T>);
      inference context{r.table};
      r.type = resolve(context, from, to);
      r.failure = context.failure;
      return r;
    }();
    using shape_type = shape_from<target_of>;
  };
} reshape;

/// x repeated along axes of extent 1, and along new axes in front: `broadcast_to(x, shape<3, 2>{})`.
inline constexpr struct broadcast_to : movement {
  static constexpr const char* name = "broadcast_to";
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }

  template <expression X, auto... Extents>
  constexpr auto operator()(X x, shape<Extents...>) const {
    if constexpr (detail::is_literal<X>) {
      return (*this)(X::node(), shape<Extents...>{});
    } else {
      using target = canonical_shape<Extents...>;
      constexpr bool fits = [] {
        extent_table table;
        inference context{table};
        const tensor_type to = target::value(table, dtype_of<typename X::value_type>);
        return rules::broadcast(context, X::shape_type::value(table, to.type), to).same_shape(to) &&
               context.failure == reason::none;
      }();
      if constexpr (!fits)
        raise<shapes_do_not_broadcast, in_op<struct broadcast_to>, shown<X>, shown_shape<target>>();
      if constexpr (std::is_same_v<target, typename X::shape_type>)
        return x;
      else
        return make_node_of<struct broadcast_to, typename X::value_type, target, attributes<>>(x);
    }
  }
  template <eager X, auto... Extents>
  constexpr auto operator()(const X& x, shape<Extents...> to) const {
    return evaluate_now(*this, x, to);
  }
  static constexpr ref to(ref x, const tensor_type& type) {
    if (x.type().same_shape(type)) return x;
    return append(info_of<struct broadcast_to>, words(), type.with(x.type().type), &x, 1);
  }
  /// The sum over the copies is taken where all gradients are brought back to their operands' shapes.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy;
  }
} broadcast_to;

/// Axes in another order; without axes, in reverse: `transpose(x, axis<0, 2, 1>)`. Attributes: result axis i is operand
/// axis w[i].
inline constexpr struct transpose : movement {
  static constexpr const char* name = "transpose";
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (w.count != in[0].rank) return context.fail(reason::not_a_permutation, r);
    int seen = 0;
    for (int i = 0; i < r.rank; ++i) {
      if (w[i] < 0 || w[i] >= r.rank || (seen >> w[i] & 1) != 0) return context.fail(reason::not_a_permutation, in[0]);
      seen |= 1 << w[i];
      r.extents[i] = in[0].extents[w[i]];
    }
    return r;
  }
  template <operand_like X>
  constexpr auto operator()(X x) const {
    if constexpr (detail::is_ref<X>) {
      words w;
      for (int i = x.type().rank; i-- > 0;) w.push_back(i);
      return call_with<struct transpose>(w, x);
    } else {
      return [&]<int... I>(std::integer_sequence<int, I...>) {
        return call<struct transpose, attributes<X::rank - 1 - I...>>(x);
      }(std::make_integer_sequence<int, X::rank>{});
    }
  }
  template <operand_like X, int... Axes>
  constexpr auto operator()(X x, axis_list<Axes...>) const {
    return call<struct transpose, attributes<(Axes < 0 ? Axes + static_cast<int>(sizeof...(Axes)) : Axes)...>>(x);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    words inverse = r.attributes;
    for (int i = 0; i < r.attributes.count; ++i) inverse.at[r.attributes[i]] = i;
    r.dx[0] = call_with<struct transpose>(inverse, r.dy);
  }
} transpose;

/// x with its last two axes exchanged: the matrices of a stack, transposed.
template <operand_like X>
  requires(!any_ref<X>)
constexpr auto matrix_transpose(X x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return transpose(x, axis<(I < X::rank - 2 ? I : 2 * X::rank - 3 - I)...>);
  }(std::make_integer_sequence<int, X::rank>{});
}
constexpr ref matrix_transpose(ref x) {
  words w;
  const int rank = x.type().rank;
  for (int i = 0; i < rank; ++i) w.push_back(i < rank - 2 ? i : 2 * rank - 3 - i);
  return call_with<struct transpose>(w, x);
}

namespace detail {
template <int I, int At, class Shape>
constexpr auto extent_or_one() {
  if constexpr (I == At)
    return 1;
  else
    return extent_along<(I < At ? I : I - 1)>(Shape{});
}
}  // namespace detail

/// Adds an axis of extent 1 at position `Axis` of the result.
template <int Axis, expression X>
constexpr auto expand_dims(X x) {
  constexpr int at = Axis < 0 ? Axis + X::rank + 1 : Axis;
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return reshape(x, shape<detail::extent_or_one<I, at, typename X::shape_type>()...>{});
  }(std::make_integer_sequence<int, X::rank + 1>{});
}

/// "To the end" in a section.
inline constexpr std::int64_t to_end = INT64_MAX;

/// Part of an axis, as in Python's begin:end:step. `section<>` is all of it, `section<2>` from 2 on, `section<0, 6, 2>`
/// 0, 2, 4; negative positions count from the end; a negative step runs backwards.
template <std::int64_t Begin, std::int64_t End, std::int64_t Step>
struct section_of {};
template <std::int64_t Begin = 0, std::int64_t End = to_end, std::int64_t Step = 1>
inline constexpr section_of<Begin, End, Step> section{};

/// A rectangular part with steps: `slice(x, section<1, 3>, section<>)`. Axes that are not named are whole.
/// Attributes per axis: begin, end (`to_end`: all that follow), step. In gradients of `concat` begin and end may refer
/// to named extents.
inline constexpr struct slice : movement {
  static constexpr const char* name = "slice";
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (w.count > 3 * r.rank) return context.fail(reason::rank_too_small, r);
    for (int i = 0; i < w.count / 3; ++i) {
      const extent_value n = in[0].extents[i];
      const std::int64_t begin = w[3 * i], end = w[3 * i + 1], step = w[3 * i + 2];
      if (step == 0) return context.fail(reason::step_is_zero, in[0]);
      if (is_static(n)) {
        r.extents[i] = count_of(n, begin, end, step);
      } else if (begin == 0 && end == to_end && (step == 1 || step == -1)) {
        r.extents[i] = n;
      } else if (step == 1 && end == to_end && begin > 0) {
        r.extents[i] = context.extents.difference(n, begin);
      } else if (begin >= 0 && end >= begin && end != to_end && step > 0) {
        r.extents[i] = (end - begin + step - 1) / step;
      } else {
        return context.fail(reason::slice_out_of_range, in[0]);
      }
    }
    return r;
  }
  /// First element along an axis of n: Python's rules, save that a backward section written without a begin (0) starts
  /// at the last element.
  static constexpr std::int64_t begin_of(std::int64_t n, std::int64_t begin, std::int64_t step) {
    if (step < 0) {
      if (begin == 0 || begin >= n) return n - 1;
      return begin < 0 ? begin + n : begin;
    }
    if (begin < 0) begin += n;
    return begin < 0 ? 0 : begin > n ? n : begin;
  }
  static constexpr std::int64_t count_of(std::int64_t n, std::int64_t begin, std::int64_t end, std::int64_t step) {
    const std::int64_t first = begin_of(n, begin, step);
    if (step < 0) {
      const std::int64_t last = end == to_end ? -1 : end < 0 ? end + n : end;
      return first <= last ? 0 : (first - last - step - 1) / -step;
    }
    std::int64_t last = end < 0 ? end + n : end > n ? n : end;
    return last <= first ? 0 : (last - first + step - 1) / step;
  }
  template <operand_like X, std::int64_t... Begin, std::int64_t... End, std::int64_t... Step>
  constexpr auto operator()(X x, section_of<Begin, End, Step>...) const {
    return pack<X, Begin...>(x, attributes_of<section_of<Begin, End, Step>...>());
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);

 private:
  template <class... S>
  struct section_pack {};
  template <class... S>
  static constexpr section_pack<S...> attributes_of() {
    return {};
  }
  template <class X, std::int64_t..., std::int64_t... B, std::int64_t... E, std::int64_t... T>
  static constexpr auto pack(X x, section_pack<section_of<B, E, T>...>) {
    return interleave(x, std::integer_sequence<std::int64_t, B...>{}, std::integer_sequence<std::int64_t, E...>{},
                      std::integer_sequence<std::int64_t, T...>{}, std::make_index_sequence<3 * sizeof...(B)>{});
  }
  template <class X, std::int64_t... B, std::int64_t... E, std::int64_t... T, std::size_t... I>
  static constexpr auto interleave(X x, std::integer_sequence<std::int64_t, B...>,
                                   std::integer_sequence<std::int64_t, E...>,
                                   std::integer_sequence<std::int64_t, T...>, std::index_sequence<I...>) {
    constexpr std::int64_t b[] = {B..., 0}, e[] = {E..., 0}, t[] = {T..., 0};
    return call<struct slice, attributes<(I % 3 == 0 ? b[I / 3] : I % 3 == 1 ? e[I / 3] : t[I / 3])...>>(x);
  }
} slice;

/// x with its elements in reverse order along the given axes, or all.
template <operand_like X, int... Axes>
constexpr auto flip(X x, axis_list<Axes...> = {}) {
  constexpr int axes[] = {Axes..., 0};
  constexpr std::int64_t mask = axes_mask(X::rank, axes, sizeof...(Axes));
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return slice(x, section<0, to_end, ((mask >> I & 1) != 0 ? -1 : 1)>...);
  }(std::make_integer_sequence<int, X::rank>{});
}

/// Zeros before and after the elements of one axis.
template <std::int64_t Before, std::int64_t After>
struct padding_of {};
template <std::int64_t Before, std::int64_t After = Before>
inline constexpr padding_of<Before, After> padding{};

/// x placed into zeros: `pad(x, padding<1, 2>, padding<0>)`, one padding per axis.
/// Attributes per axis: where the first element goes, the zeros after the last, the distance between two.
inline constexpr struct pad : movement {
  static constexpr const char* name = "pad";
  static constexpr op_kind kind = op_kind::opaque;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (w.count != 3 * r.rank) return context.fail(reason::rank_too_small, r);
    for (int i = 0; i < r.rank; ++i) {
      if (w[3 * i] < 0 || w[3 * i + 1] < 0) return context.fail(reason::padding_is_negative, in[0]);
      r.extents[i] = context.extents.sum(in[0].extents[i], w[3 * i] + w[3 * i + 1]);
    }
    return r;
  }
  template <operand_like X, std::int64_t... Before, std::int64_t... After>
  constexpr auto operator()(X x, padding_of<Before, After>...) const {
    constexpr std::int64_t before[] = {Before..., 0}, after[] = {After..., 0};
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return call<struct pad, attributes<(I % 3 == 0 ? before[I / 3] : I % 3 == 1 ? after[I / 3] : 1)...>>(x);
    }(std::make_index_sequence<3 * sizeof...(Before)>{});
  }
  /// Reads back the places that x was put to: a slice with the same begins and steps.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    words w;
    for (int i = 0; i < r.x[0].type().rank; ++i) {
      w.push_back(r.attributes[3 * i]);
      w.push_back(to_end);
      w.push_back(r.attributes[3 * i + 2]);
    }
    r.dx[0] = append(info_of<struct slice>, w, r.x[0].type(), &r.dy, 1);
  }
} pad;

/// Operands one after another along an axis: `concat(axis<1>, a, b)`. Attribute: the axis.
inline constexpr struct concat : opaque {
  static constexpr const char* name = "concat";
  static constexpr int arity = -1;
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    tensor_type r = in[0];
    if (w[0] < 0 || w[0] >= r.rank) return context.fail(reason::axis_out_of_range, r);
    for (int k = 1; k < count; ++k) {
      if (in[k].rank != r.rank) return context.fail(reason::extents_differ, in[0]);
      for (int i = 0; i < r.rank; ++i)
        if (i != w[0] && in[k].extents[i] != r.extents[i]) return context.fail(reason::extents_differ, in[0]);
      r.extents[w[0]] = context.extents.sum(r.extents[w[0]], in[k].extents[w[0]]);
    }
    return r;
  }
  template <int Axis, operand_like X, operand_like... Rest>
  constexpr auto operator()(axis_list<Axis>, X x, Rest... rest) const {
    return call<struct concat, attributes<(Axis < 0 ? Axis + X::rank : Axis)>>(x, rest...);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    // Where an operand's extent is named, the next one's slice begins at a named extent.
    extent_table& table = extents_of(*r.dy.owner);
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
      r.dx[k] = append(info_of<struct slice>, w, type, &r.dy, 1);
    }
  }
} concat;

namespace detail {
/// The gradient of a slice that begins at a named extent of one axis, as the gradient of `concat` does.
template <class V>
constexpr V between_zeros(const gradient_rule<V>& r, int axis) {
  extent_table& table = extents_of(*r.dy.owner);
  tensor_type before = r.dy.type(), after = before;
  before.extents[axis] = r.attributes[3 * axis];
  after.extents[axis] = table.difference(r.x[0].type().extents[axis], r.attributes[3 * axis + 1]);
  const V zero = append_constant(*r.dy.owner, before.type, 0);
  const V first = broadcast_to.to(zero, before), last = broadcast_to.to(zero, after);
  return call_with<struct concat>(words(axis), first, r.dy, last);
}
}  // namespace detail

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
    const extent_value n = r.x[0].type().extents[i];
    const std::int64_t step = named ? r.attributes[3 * i + 2] : 1;
    const std::int64_t begin = named ? r.attributes[3 * i] : 0;
    w.push_back(is_static(n) ? begin_of(n, begin, step) : step < 0 ? -1 : begin);
    w.push_back(0);
    w.push_back(step);
  }
  r.dx[0] = append(info_of<struct pad>, w, r.x[0].type(), &r.dy, 1);
}

/// Operands of one shape along a new axis.
template <int Axis, expression X, expression... Rest>
constexpr auto stack(axis_list<Axis>, X x, Rest... rest) {
  return concat(axis<(Axis < 0 ? Axis + X::rank + 1 : Axis)>, expand_dims<Axis>(x), expand_dims<Axis>(rest)...);
}

}  // namespace etch
