// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/base/type_list.hpp>
#include <etch/ops/movement.hpp>
#include <etch/ops/regions.hpp>

/// What goes into a region and comes out of it: one expression, or several as a tuple.
namespace etch::detail {

template <class>
inline constexpr bool is_expression_tuple = false;
template <class... E>
inline constexpr bool is_expression_tuple<std::tuple<E...>> = are_expressions<E...>;
template <class A, class B>
inline constexpr bool is_expression_tuple<std::pair<A, B>> = are_expressions<A, B>;

/// An expression or a tuple (a pair) of them.
template <class S>
concept structure = expression<S> || is_expression_tuple<S>;

/// An operand of a region: a literal gets the dtype that it has by itself.
template <class E>
constexpr auto as_node(E e) {
  if constexpr (is_literal<E>)
    return e.node();
  else
    return e;
}

template <class S>
struct structure_of;
template <expression E>
struct structure_of<E> {
  using list = type_list<decltype(as_node(std::declval<E>()))>;
  static constexpr bool is_one = true;
};
template <class... E>
struct structure_of<std::tuple<E...>> {
  using list = type_list<decltype(as_node(std::declval<E>()))...>;
  static constexpr bool is_one = false;
};
template <class A, class B>
struct structure_of<std::pair<A, B>> : structure_of<std::tuple<A, B>> {};
/// The expressions of a structure with literals as they are, as a type_list.
template <class S>
struct as_written {
  using list = type_list<S>;
};
template <class... E>
struct as_written<std::tuple<E...>> {
  using list = type_list<E...>;
};
template <class A, class B>
struct as_written<std::pair<A, B>> {
  using list = type_list<A, B>;
};
template <class S>
using written_in = typename as_written<S>::list;

/// The expressions of a structure, as a type_list.
template <class S>
using expressions_of = typename structure_of<S>::list;

/// As many expressions in the structure S.
template <class S, class... E>
constexpr auto structured_as(E... e) {
  if constexpr (structure_of<S>::is_one)
    return (e, ...);
  else
    return std::tuple<E...>{e...};
}

/// Whether two structures have as many expressions, both as one or both as a tuple.
template <class A, class B>
constexpr bool alike() {
  if constexpr (structure<A> && structure<B>)
    return structure_of<A>::is_one == structure_of<B>::is_one && expressions_of<A>::size == expressions_of<B>::size;
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
  } else {
    raise<Reason, in_function<Function>, expected<shown<Like>>, got<shown<E>>>();
    return Like{};
  }
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
