// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/plain_tuple.hpp>
#include <etch/base/type_list.hpp>
#include <etch/graph/reachable.hpp>
#include <etch/schedule/compile.hpp>
#include <etch/session/feed.hpp>
#include <etch/session/fetch_aggregate.hpp>

/// What the compiler checks of a call of `run` or `bind`: which expressions are fetched, which slots are fed with what.
namespace etch {

namespace detail {

/// Of a slot that the plan knows.
template <class T>
inline constexpr bool is_binding = false;
template <class S, class V, bool Temporary>
inline constexpr bool is_binding<binding<S, V, Temporary>> = value_expression<S>;
/// Of another one, which results are made of on the host: see fetch_traits.
template <class T>
inline constexpr bool is_host_binding = false;
template <class S, class V, bool Temporary>
inline constexpr bool is_host_binding<binding<S, V, Temporary>> = !expression<S>;

/// The fetches and the feeds among the arguments of a call. Plain: all are expressions, or values of slots that are. Else see
/// structured.hpp.
template <bool Plain, class... A>
struct signature {
  using fetches = chosen_types<type_list<A...>, !is_binding<A>...>;
  using feeds = chosen_types<type_list<A...>, is_binding<A>...>;
  static constexpr bool computes = fetches::size > 0;
  template <class... R>
  using results = plain_tuple<R...>;
};
template <class... A>
inline constexpr bool are_plain = all_hold<(expression<A> || is_binding<A>)...>;
template <class... A>
using signature_of = signature<are_plain<std::remove_cvref_t<A>...>, std::remove_cvref_t<A>...>;

/// A binding that has a name was made before the call, and what it refers to may be gone.
template <class A>
constexpr void check_not_kept() {
  using argument = std::remove_cvref_t<A>;
  if constexpr ((is_binding<argument> || is_host_binding<argument>) && std::is_lvalue_reference_v<A>) {
    if constexpr (argument::is_temporary && !is_number_type<typename argument::value_type>)
      raise<a_binding_of_a_temporary_cannot_be_kept_feed_it_where_it_is_made, shown<typename argument::slot>>();
  }
}

template <class T>
inline constexpr bool feeds_no_value = false;
template <class S, class V, bool Temporary>
inline constexpr bool feeds_no_value<binding<S, V, Temporary>> = expression<S> && !value_expression<S>;

/// What may stand in a call of `run`. A concept, so that no more is asked of a plain argument than that it is one.
template <class A>
concept run_argument = expression<A> || is_binding<A> || is_host_binding<A> || fetchable<A>;

/// Whether the arguments of `run` are what it fetches, of which something is to be computed, and values of slots.
template <fixed_string Function, class... A>
constexpr bool check_arguments() {
  [[maybe_unused]] const int checked[] = {0, (check_not_kept<A>(), 0)...};
  if constexpr (!all_hold<run_argument<std::remove_cvref_t<A>>...>) {
    if constexpr (all_hold<(run_argument<std::remove_cvref_t<A>> || feeds_no_value<std::remove_cvref_t<A>>)...>)
      raise<this_has_no_value_that_could_be_fed, in_function<Function>, typename shown_argument<std::remove_cvref_t<A>>::type...>();
    else
      raise<this_is_no_expression_feed_a_value_by_slot_equals_value, in_function<Function>,
            typename shown_argument<std::remove_cvref_t<A>>::type..., instead_write<Function + "(y, x = values)">>();
    return false;
  } else if constexpr (!signature_of<A...>::computes) {
    return raise<name_at_least_one_expression_to_compute, in_function<Function>,
                 typename shown_argument<std::remove_cvref_t<A>>::type..., instead_write<Function + "(y, x = values)">>();
  } else {
    return true;
  }
}

/// A value of a slot, in messages.
template <class Slot, class V, bool Temporary>
struct shown_argument<binding<Slot, V, Temporary>> : shown_operand<Slot> {};

/// Refuses a slot that is fed twice.
template <class... Slots>
constexpr void check_fed_once() {
  constexpr int twice = [] {
    constexpr hash_t fed[] = {content_with<Slots::hash>..., 0};
    for (int i = 0; i < static_cast<int>(sizeof...(Slots)); ++i)
      for (int j = 0; j < i; ++j)
        if (fed[i] == fed[j]) return i;
    return -1;
  }();
  if constexpr (twice >= 0) raise<this_slot_is_fed_twice, shown<type_at<static_cast<std::size_t>(twice), Slots...>>>();
}

template <class Shape>
inline constexpr bool is_fixed_shape = false;
template <std::size_t... N>
inline constexpr bool is_fixed_shape<xt::fixed_shape<N...>> = true;

/// Whether the extents of an xtensor_fixed agree with those of a slot that are numbers.
template <class Fixed, auto... D>
constexpr bool fixed_extents_fit(shape<D...>) {
  return []<std::size_t... N>(std::type_identity<xt::fixed_shape<N...>>) {
    const auto fit = [](auto d, std::size_t n) {
      if constexpr (std::is_integral_v<decltype(d)>)
        return static_cast<std::size_t>(d) == n;
      else
        return true;
    };
    return (fit(D, N) && ...);
  }(std::type_identity<Fixed>{});
}

/// The shape of an xtensor_fixed, in error messages.
template <class Fixed>
struct shown_fixed_shape;
template <std::size_t... N>
struct shown_fixed_shape<xt::fixed_shape<N...>> {
  using type = canonical_shape<N...>;
};

}  // namespace detail

namespace detail {

/// The hash of what a plan's node is in the program: where something in it is named, that is not its content.
template <class Plan>
constexpr hash_t hash_behind(hash_t content) {
  reachable r;
  for (int i = 0; i < Plan::feeds::size; ++i) r.add(Plan::feeds::records[i]);
  for (int i = 0; i < Plan::fetches::size; ++i) r.add(Plan::fetches::records[i]);
  const int known = r.index.find(content);
  return known >= 0 ? r.records[known]->hash : content;
}
template <class Plan, hash_t Content>
using expression_in = defined<expression_key, hash_behind<Plan>(Content)>;

/// A named extent, of that hash, in messages.
template <hash_t Id>
using extent_called = typename shown_extent<defined<symbol_key, Id>>::type;

/// A named extent that no feed has as one of its own; -1 where each has its feed.
template <class Plan>
constexpr int unbound_extent() {
  const extent_table& table = Plan::facts.extents;
  for (int s = 0; s < table.symbol_count(); ++s) {
    bool bound = false;
    for (int f = 0; f < Plan::size.feeds; ++f) {
      const port& p = Plan::value.feeds[f];
      for (int i = 0; i < p.type.rank; ++i) bound = bound || table.symbol_index(p.type.extents[i]) == s;
    }
    if (!bound) return s;
  }
  return -1;
}

/// A loop's parameter that a fetch depends on, outside of the loop; 0 where there is none.
template <class Stage>
constexpr hash_t escaped_parameter() {
  constexpr bool any = [] {
    for (int n = 0; n < kept_graph<Stage>::size.nodes; ++n)
      if (kept_graph<Stage>::value.nodes[n].op->role == op_role::parameter) return true;
    return false;
  }();
  if constexpr (any) {
    return std::conditional_t<any, all_regions, no_regions>::escaped_parameter(kept_graph<Stage>::value.thaw());
  }
  return 0;
}

/// Whether a plan, or one that it calls for a body or a function, has more named extents, or extents made of them, than tables hold.
template <class Plan>
constexpr bool has_exhausted_extents();
template <class Plan, int Number, int... Part>
constexpr bool is_exhausted_in_call(std::integer_sequence<int, Part...>) {
  return (has_exhausted_extents<typename Plan::template part<Number, Part>>() || ...);
}
template <class Plan, int... Number>
constexpr bool is_exhausted_in_calls(std::integer_sequence<int, Number...>) {
  return (is_exhausted_in_call<Plan, Number>(std::make_integer_sequence<int, Plan::template parts<Number>>()) || ...);
}
template <class Plan>
constexpr bool has_exhausted_extents() {
  return Plan::facts.extents.exhausted() || is_exhausted_in_calls<Plan>(std::make_integer_sequence<int, Plan::calls>());
}

/// The checks of a signature that need its plan.
template <class Roots, class Plan, hash_t... Fed>
constexpr void check_plan() {
  if constexpr (has_exhausted_extents<Plan>())
    raise<too_many_named_extents, in_function<"run">, names_at_most<Plan::facts.extents.max_symbols>,
          extents_made_of_them_at_most<Plan::facts.extents.max_polynomials>>();
  if constexpr (static_cast<bool>(Plan::failure)) {
    if constexpr (Plan::failure.too_many_axes)
      raise<a_gradient_keeps_a_value_of_8_axes_of_each_step_of_a_loop,
            in_op<std::conditional_t<Plan::failure.too_many_axes, gradient_op, void>>>();
    else if constexpr (Plan::failure.op != nullptr && Plan::failure.op->role == op_role::loop)
      raise<a_loop_of_any_number_of_steps_has_no_gradient_bound_them, in_op<op_of<Plan::failure.op->id>>,
            instead_write<"while_loop<100>(condition, f, s)">>();
    else if constexpr (Plan::failure.op != nullptr && Plan::failure.unreached != 0)
      raise<there_is_no_gradient_through_this_op, in_op<op_of<Plan::failure.op->id>>,
            shown<expression_in<Plan, Plan::failure.unreached>>>();
    else if constexpr (Plan::failure.op != nullptr)
      raise<there_is_no_gradient_through_this_op, in_op<op_of<Plan::failure.op->id>>>();
    else
      raise<gradient_does_not_reach_this_operand, shown<expression_in<Plan, Plan::failure.unreached>>>();
  }
  constexpr hash_t escaped = escaped_parameter<typename Plan::flattened>();
  if constexpr (escaped != 0)
    raise<this_stands_for_a_value_of_a_loops_step_and_is_used_outside_of_the_loop, shown<defined<expression_key, escaped>>>();
  constexpr effect_failure effects = Plan::order_failure;
  if constexpr (effects.what == effect_failure::kind::two_assignments)
    raise<two_assignments_of_a_variable_in_one_run_order_them_by_after, shown<expression_in<Plan, effects.variable>>>();
  if constexpr (effects.what == effect_failure::kind::assignment_of_a_fed_variable)
    raise<a_run_cannot_feed_a_variable_that_it_assigns, shown<expression_in<Plan, effects.variable>>>();
  constexpr hash_t unfed = [] {
    constexpr const auto& g = kept_graph<typename Plan::materialised>::value;
    constexpr hash_t feeds[] = {Fed..., 0};
    for (int i = 0; i < g.size.nodes; ++i) {
      if (g.nodes[i].op->role != op_role::placeholder) continue;
      bool fed = false;
      for (const hash_t content : feeds) fed = fed || content == g.nodes[i].content;
      if (!fed) return g.nodes[i].content;
    }
    return hash_t{0};
  }();
  if constexpr (unfed != 0) raise<you_must_feed_a_value_for_this_placeholder, shown<expression_in<Plan, unfed>>>();
  constexpr int unbound = unfed != 0 || effects ? -1 : unbound_extent<Plan>();
  if constexpr (unbound >= 0)
    raise<this_named_extent_is_bound_by_no_feed, extent_called<Plan::facts.extents.symbol_at(unbound).id>>();
  constexpr hash_t foreign = [] {
    hash_index own;
    for (int v = 0; v < Roots::size.variables; ++v) own.insert(Roots::value.variables[v]->content, v);
    for (int v = 0; v < Plan::size.variables; ++v)
      if (!Plan::value.variables[v].orders_host && own.find(Plan::value.variables[v].content) < 0)
        return Plan::value.variables[v].content;
    return hash_t{0};
  }();
  if constexpr (foreign != 0 && Roots::size.nodes > 0)
    raise<this_slot_is_not_in_the_graph_of_the_session, shown<expression_in<Plan, foreign>>>();
}

}  // namespace detail

/// Whether a run may be given a value for e: what has one, but for literals, which are no nodes, and what stands for a value in a loop's
/// body. (Not together with an assignment to it, where it is a variable.)
template <class E>
constexpr bool is_feedable(const E&) {
  if constexpr (detail::value_expression<E>) {
    if constexpr (
        requires(const E& e, typename E::value_type v) { e = v; } ||
        requires(const E& e, nested_list<typename E::value_type, E::rank> v) { e = v; })
      return detail::record_address<E::hash>->op->role != op_role::parameter;
  }
  return false;
}

/// Checks one feed; a mistake is a compile error that names slot, expected and got.
template <class Slot, class V>
constexpr void check_feed() {
  using traits = feed_traits<V>;
  if constexpr (!element<typename Slot::value_type>) {
    fed_value<typename Slot::value_type>::template check<Slot, V>();
  } else if constexpr (traits::valid) {
    using T = typename Slot::value_type;
    using G = typename traits::value_type;
    constexpr bool number = traits::rank == 0 && is_number_type<V>;
    constexpr bool list = !number && requires { typename detail::list_traits<V>::type; } && detail::list_traits<V>::rank > 0;
    constexpr bool dtype_fits = [] {
      if constexpr (number || list)
        return std::is_same_v<G, T> || (is_floating(dtype_of<T>) && !std::is_same_v<G, bool>) ||
               (std::is_integral_v<T> && !std::is_same_v<T, bool> && std::is_integral_v<G> && !std::is_same_v<G, bool>);
      else
        return detail::are_elements<T, G>;
    }();
    constexpr bool rank_fits = traits::rank < 0 || traits::rank == Slot::rank;
    if constexpr (!is_number_type<G>) {
      raise<nested_containers_cannot_be_fed_feed_an_array_or_one_flat_range, shown<Slot>, got<V>>();
    } else if constexpr (!dtype_fits) {
      raise<this_feed_has_the_wrong_dtype, shown<Slot>, expected<T>, got<G>>();
    } else if constexpr (!rank_fits) {
      raise<this_feed_has_the_wrong_number_of_axes, shown<Slot>, expected<number_of_axes<Slot::rank>>,
            got<number_of_axes<traits::rank>>>();
    } else if constexpr (detail::xtensor_expression<V>) {
      if constexpr (detail::is_fixed_shape<typename V::shape_type>) {
        constexpr bool fits = detail::fixed_extents_fit<typename V::shape_type>(typename Slot::shape_type{});
        if constexpr (!fits)
          raise<this_feed_has_the_wrong_extents, shown<Slot>,
                got<typename detail::shown_fixed_shape<typename V::shape_type>::type>>();
      }
    }
  } else if constexpr (std::is_pointer_v<V>) {
    raise<a_pointer_has_no_size_feed_a_span, shown<Slot>, got<V>, instead_write<"std::span(pointer, size)">>();
  } else if constexpr (!expression<V>) {
    raise<this_cannot_be_fed, shown<Slot>, got<V>>();
  }
}

}  // namespace etch
