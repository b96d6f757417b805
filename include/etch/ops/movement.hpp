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

namespace detail {
/// What brings its operand to a shape. The same op twice is the op once.
template <class Op>
struct reshaping : movement<Op> {
  static constexpr bool has_simpler_forms = true;
  template <class V>
  static constexpr V simpler(const rewriting<V>& r) {
    if (r.x[0].type().same_shape(r.type)) return r.x[0];
    const V inner = operand_of<Op>(r.x[0], 0);
    return inner.valid() ? to(inner, r.type) : V{};
  }
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  /// To a given shape, in gradient rules.
  template <handle V>
  static constexpr V to(V x, const tensor_type& type) {
    if (x.type().same_shape(type)) return x;
    return emit_as<Op>(words(), type.with(x.type().type), x);
  }
};
}  // namespace detail

/// The same elements in row-major order under another shape: `reshape(x, shape<2, inferred>{})`.
inline constexpr struct reshape : detail::reshaping<struct reshape> {
  static constexpr const char* name = "reshape";
  static constexpr void map(extent_table&, const tensor_type&, const tensor_type&, const words&, index_map& m) {
    m.keeps_order = true;
  }

  template <expression X, auto... Extents>
  constexpr auto operator()(X x, shape<Extents...>) const {
    if constexpr (detail::is_literal<X>) {
      return (*this)(X::node(), shape<Extents...>{});
    } else if constexpr (sizeof...(Extents) > max_rank) {
      return detail::refusal<too_many_axes, in_op<struct reshape>, shown<X>, shown_shape<canonical_shape<Extents...>>>(x);
    } else {
      using target = target_of<typename X::value_type, typename X::shape_type, canonical_shape<Extents...>>;
      if constexpr (target::value.failure == reason::too_many_named_extents)
        return detail::refusal<too_many_named_extents, in_op<struct reshape>, shown<X>, shown_shape<canonical_shape<Extents...>>>(
            x);
      else if constexpr (target::value.failure != reason::none)
        return detail::refusal<reshape_changes_the_number_of_elements, in_op<struct reshape>, shown<X>,
                               shown_shape<canonical_shape<Extents...>>>(x);
      else if constexpr (std::is_same_v<typename target::shape_type, typename X::shape_type>)
        return x;
      else
        return make_node_of<struct reshape, typename X::value_type, typename target::shape_type, attributes<>>(x);
    }
  }
  template <evaluated X, auto... Extents>
  constexpr auto operator()(const X& x, shape<Extents...> to) const {
    return evaluate_now(*this, x, to);
  }
  ETCH_REFUSE_OPERANDS_AND_BRACES(struct reshape, name_the_shape_in_angle_brackets, "($, shape<3, 2>{})")
  /// Before `to`, which names info_of<reshape>: clang could not find the rule in constants if its body came later.
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
      if (target.extents[open] == unknown_extent) return context.fail(reason::reshape_changes_the_number_of_elements, from);
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
      r.failure = r.table.exhausted() ? reason::too_many_named_extents : context.failure;
      return r;
    }();
    using shape_type = shape_from<target_of>;
  };
} reshape;

/// x repeated along axes of extent 1, and along new axes in front: `broadcast_to(x, shape<3, 2>{})`.
inline constexpr struct broadcast_to : detail::reshaping<struct broadcast_to> {
  static constexpr const char* name = "broadcast_to";
  static constexpr op_role role = op_role::broadcast;
  static constexpr void map(extent_table&, const tensor_type& x, const tensor_type& result, const words&, index_map& m) {
    const int extra = result.rank - x.rank;
    for (int i = 0; i < x.rank; ++i)
      if (x.extents[i] != 1 || result.extents[i + extra] == 1) m.add(i, i + extra);
  }

  template <expression X, auto... Extents>
  constexpr auto operator()(X x, shape<Extents...>) const {
    if constexpr (detail::is_literal<X>) {
      return (*this)(X::node(), shape<Extents...>{});
    } else if constexpr (!detail::is_possible<canonical_shape<Extents...>>) {
      using target = canonical_shape<Extents...>;
      detail::refuse_shape<target, in_op<struct broadcast_to>, shown<X>, shown_shape<target>>();
      return detail::refused(x);
    } else {
      using target = canonical_shape<Extents...>;
      constexpr bool fits = [] {
        extent_table table;
        inference context{.extents = table, .exact = true};
        const tensor_type to = target::value(table, dtype_of<typename X::value_type>);
        return rules::broadcast(context, X::shape_type::value(table, to.type), to).same_shape(to) &&
               context.failure == reason::none;
      }();
      if constexpr (!fits) raise<shapes_do_not_broadcast, in_op<struct broadcast_to>, shown<X>, shown_shape<target>>();
      if constexpr (std::is_same_v<target, typename X::shape_type>)
        return x;
      else
        return make_node_of<struct broadcast_to, typename X::value_type, target, attributes<>>(x);
    }
  }
  template <evaluated X, auto... Extents>
  constexpr auto operator()(const X& x, shape<Extents...> to) const {
    return evaluate_now(*this, x, to);
  }
  ETCH_REFUSE_OPERANDS_AND_BRACES(struct broadcast_to, name_the_shape_in_angle_brackets, "($, shape<3, 2>{})")
  /// The sum over the copies is taken where all gradients are brought back to their operands' shapes. Before `to`, as in
  /// reshape.
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = r.dy;
  }
} broadcast_to;

/// A tensor of a type whose elements are all one number; in gradient rules.
template <handle V>
constexpr V filled(const V& beside, const tensor_type& type, double value) {
  const scalar element =
      is_floating(type.type) ? scalar{type.type, value, 0} : scalar{type.type, 0, static_cast<std::int64_t>(value)};
  return broadcast_to.to(emit_constant(beside, element), type);
}
/// In a graph under construction.
constexpr ref filled(graph& owner, const tensor_type type, double value) { return filled(ref{&owner}, type, value); }

/// Axes in another order; without axes, in reverse: `transpose(x, axis<0, 2, 1>)`. Attributes: result axis i is operand
/// axis w[i].
inline constexpr struct transpose : movement<struct transpose> {
  static constexpr const char* name = "transpose";
  static constexpr bool exchanges_axes = true;
  static constexpr attribute_names names = attribute_names({"axis"}).repeated();
  static constexpr void map(extent_table&, const tensor_type&, const tensor_type& result, const words& w, index_map& m) {
    for (int i = 0; i < result.rank; ++i) m.add(static_cast<int>(w[i]), i);
  }
  static constexpr bool has_simpler_forms = true;
  template <class V>
  static constexpr V simpler(const rewriting<V>& r) {
    bool in_order = true;
    for (int i = 0; i < r.attributes.count; ++i) in_order = in_order && r.attributes[i] == i;
    if (in_order) return r.x[0];
    const V inner = operand_of<struct transpose>(r.x[0], 0);
    if (!inner.valid()) return {};
    words w;
    for (int i = 0; i < r.attributes.count; ++i) w.push_back(attribute_of(r.x[0], static_cast<int>(r.attributes[i])));
    return emit<struct transpose>(w, inner);
  }
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
    if constexpr (handle<X>) {
      words w;
      for (int i = x.type().rank; i-- > 0;) w.push_back(i);
      return emit<struct transpose>(w, x);
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
  ETCH_REFUSE_OPERANDS_AND_BRACES(struct transpose, name_the_axis_in_angle_brackets, "($, axis<1, 0>)")
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    words inverse = r.attributes;
    for (int i = 0; i < r.attributes.count; ++i) inverse.at[r.attributes[i]] = i;
    r.dx[0] = emit<struct transpose>(inverse, r.dy);
  }
} transpose;

}  // namespace etch
