// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/base/type_list.hpp>
#include <etch/ops/effects.hpp>
#include <etch/ops/movement.hpp>
#include <etch/ops/regions.hpp>

/// What goes into a region and comes out of it: one expression, or several as a tuple.
namespace etch::detail {

template <class>
inline constexpr bool is_expression_tuple = false;
template <class... E>
inline constexpr bool is_expression_tuple<std::tuple<E...>> = are_planned<E...>;
template <class A, class B>
inline constexpr bool is_expression_tuple<std::pair<A, B>> = are_planned<A, B>;

/// An expression, or a string of a graph, or a tuple (a pair) of them.
template <class S>
concept structure = expression<S> || planned_host_value<S> || is_expression_tuple<S>;

/// An operand of a region: a literal gets the dtype that it has by itself.
template <class E>
using node_for = decltype(converted<typename E::value_type>(E{}));

/// What a structure is made of, as a type_list.
template <class S>
struct members_of_structure {
  using list = type_list<S>;
};
template <class... E>
struct members_of_structure<std::tuple<E...>> {
  using list = type_list<E...>;
};
template <class A, class B>
struct members_of_structure<std::pair<A, B>> {
  using list = type_list<A, B>;
};

template <class... E>
type_list<typename plan_value<E>::node...> written_as(type_list<E...>);
/// The expressions that a plan has for a structure, with literals as they are, as a type_list.
template <class S>
using written_in = decltype(written_as(typename members_of_structure<S>::list{}));

template <class... E>
type_list<node_for<E>...> nodes_for(type_list<E...>);
/// The same, of literals the nodes.
template <class S>
using expressions_of = decltype(nodes_for(written_in<S>{}));

template <class... Member, class... E>
constexpr auto members_like(type_list<Member...>, E... e) {
  return std::tuple<decltype(plan_value<Member>::like(e))...>{plan_value<Member>::like(e)...};
}
/// As many expressions in the structure S.
template <class S, class... E>
constexpr auto structured_as(E... e) {
  if constexpr (is_expression_tuple<S>)
    return members_like(typename members_of_structure<S>::list{}, e...);
  else
    return (plan_value<S>::like(e), ...);
}

template <class... A, class... B>
constexpr bool are_alike(type_list<A...>, type_list<B...>) {
  if constexpr (sizeof...(A) == sizeof...(B))
    return all_hold<(host_value<A> == host_value<B>)...>;
  else
    return false;
}
/// Whether two structures have as many values, both as one or both as a tuple.
template <class A, class B>
constexpr bool are_as_many() {
  if constexpr (structure<A> && structure<B>)
    return is_expression_tuple<A> == is_expression_tuple<B> &&
           members_of_structure<A>::list::size == members_of_structure<B>::list::size;
  else
    return false;
}
/// The same, and strings at the same places.
template <class A, class B>
constexpr bool alike() {
  if constexpr (are_as_many<A, B>())
    return are_alike(typename members_of_structure<A>::list{}, typename members_of_structure<B>::list{});
  else
    return false;
}

/// E as an expression of dtype and shape of `Like`, where a literal takes them; an error where another cannot: a region gives what it is
/// promised to give.
template <class Reason, fixed_string Function, class Like, class E>
constexpr auto as_promised(E e) {
  using T = typename Like::value_type;
  if constexpr (is_literal<E>) {
    return broadcast_to(E::template node<T>(), typename Like::shape_type{});
  } else if constexpr (!value_expression<E>) {
    raise<a_training_step_has_no_value, in_function<Function>, shown<E>>();
    return Like{};
  } else if constexpr (std::is_same_v<T, typename E::value_type> &&
                       std::is_same_v<typename Like::shape_type, typename E::shape_type>) {
    return e;
  } else if constexpr (std::is_same_v<T, typename E::value_type> &&
                       may_be_alike<typename Like::shape_type, typename E::shape_type>) {
    return make_node_of<region_alike, T, typename Like::shape_type, attributes<E::rank>>(e, Like{});
  } else {
    raise<Reason, in_function<Function>, expected<shown<Like>>, got<shown<E>>>();
    return Like{};
  }
}

/// Value I of a region, of the type of E. What has no value, such as a training step, stays what it is, and so does a literal, which takes
/// the dtype of what it meets.
template <class Region, std::size_t I, class E>
constexpr auto region_result_of() {
  if constexpr (value_expression<E> && !is_literal<E>)
    return make_expression<region_result, typename E::value_type, typename E::shape_type, attributes<static_cast<int>(I)>,
                           Region::hash>();
  else
    return E{};
}
/// All of them, in a structure like S.
template <class S, class Region, class... E, std::size_t... I>
constexpr auto region_results(type_list<E...>, std::index_sequence<I...>) {
  return structured_as<S>(region_result_of<Region, I, E>()...);
}

/// A shape without its first axis, and with one more in front.
template <class Shape>
struct without_first_axis;
template <auto First, auto... Rest>
struct without_first_axis<shape<First, Rest...>> {
  using type = shape<Rest...>;
};
template <auto First, class Shape>
struct with_first_axis;
template <auto First, auto... Rest>
struct with_first_axis<First, shape<Rest...>> {
  using type = shape<First, Rest...>;
};

}  // namespace etch::detail
