// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/literal_fold.hpp>

/// What happens when an op object is called: on expressions it gives an expression, on refs it appends a node to a graph,
/// on eager tensors it computes. The three share one rule for dtypes and literals.
namespace etch {

/// Base of eager tensors. `evaluate_now(op, attributes, operands...)` is found by argument-dependent look-up.
struct tensor_base {};

template <class T>
concept eager = std::is_base_of_v<tensor_base, T>;

template <class T>
concept symbolic = expression<T> || std::is_same_v<T, ref>;

/// What an op may be called on.
template <class T>
concept operand_like = symbolic<T> || eager<T>;

namespace detail {

template <class T>
inline constexpr bool is_ref = std::is_same_v<T, ref>;

/// The dtype of the operands that are not literals; if all are literals, of those. None if there is none, which the op's own rule
/// will refuse.
template <class... E>
constexpr dtype common_dtype() {
  constexpr bool only_literals = (is_literal<E> && ...);
  dtype types[sizeof...(E) + 1]{};
  int count = 0;
  ((only_literals || !is_literal<E> ? void(types[count++] = dtype_of<typename E::value_type>) : void()), ...);
  return promote(types, count);
}

}  // namespace detail

/// Converts dtypes; defined as an op in `ops/conversion.hpp`.
struct cast;

namespace detail {

template <class T, class E>
constexpr auto converted(E e) {
  if constexpr (is_literal<E>)
    return E::template node<T>();
  else if constexpr (std::is_same_v<typename E::value_type, T> || std::is_void_v<typename E::value_type>)
    return e;
  else
    return make_node<cast, attributes<static_cast<std::int64_t>(dtype_of<T>)>>(e);
}

template <class Op, class Attributes, class... E>
constexpr auto call_typed(E... e) {
  if constexpr (Op::operands == dtype_rule::free) {
    return make_node<Op, Attributes>(converted<typename E::value_type>(e)...);
  } else if constexpr (Op::operands == dtype_rule::same) {
    constexpr dtype common = common_dtype<E...>();
    return make_node<Op, Attributes>([](auto x) {
      if constexpr (is_literal<decltype(x)>)
        return converted<value_type_of<common>>(x);
      else
        return x;
    }(e)...);
  } else {
    using T = value_type_of<common_dtype<E...>()>;
    return make_node<Op, Attributes>(converted<std::conditional_t<std::is_void_v<T>, typename E::value_type, T>>(e)...);
  }
}

/// A condition keeps its dtype; the two values meet in their common one.
template <class Op, class Attributes, class C, class A, class B>
constexpr auto call_typed_condition(C c, A a, B b) {
  using T = value_type_of<common_dtype<A, B>()>;
  constexpr bool meet = !std::is_void_v<T>;
  return make_node<Op, Attributes>(converted<typename C::value_type>(c),
                                   converted<std::conditional_t<meet, T, typename A::value_type>>(a),
                                   converted<std::conditional_t<meet, T, typename B::value_type>>(b));
}

template <class Op, class A>
constexpr ref to_ref(A a, const ref& beside) {
  if constexpr (is_ref<A>)
    return a;
  else
    return append_constant(*beside.owner, A::as_scalar(beside.type().type));
}

template <class A, class... Rest>
constexpr ref last_ref(A a, Rest... rest) {
  if constexpr (sizeof...(Rest) > 0) {
    const ref r = last_ref(rest...);
    if (r.owner != nullptr) return r;
  }
  if constexpr (is_ref<A>)
    return a;
  else
    return ref{};
}

constexpr auto first_expression() { return literal<0>; }
template <class A, class... Rest>
constexpr auto first_expression(A a, Rest... rest) {
  if constexpr (value_expression<A>)
    return a;
  else
    return first_expression(rest...);
}

/// A number that a function takes as a literal or an expression; anything else is an error.
template <fixed_string Function, class P>
constexpr auto symbolic_number(P p) {
  if constexpr (expression<P>) {
    return p;
  } else {
    raise<a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder, in_function<Function>, shown<P>>();
    return literal<0>;
  }
}

}  // namespace detail

/// Whether some operand is a node under construction. Overloads for these have a declared result: a gradient rule may then
/// use the op that it belongs to.
template <class... A>
concept any_ref = (detail::is_ref<A> || ...);

/// Calls Op with attributes that are known as a type.
template <class Op, class Attributes, class... A>
  requires any_ref<A...>
constexpr ref call(A... a) {
  const ref beside = detail::last_ref(a...);
  const ref operands[] = {detail::to_ref<Op>(a, beside)...};
  return append(info_of<Op>, Attributes::value, operands, static_cast<int>(sizeof...(A)));
}
template <class Op, class Attributes, class... A>
  requires(!any_ref<A...>)
constexpr auto call(A... a) {
  if constexpr ((eager<A> || ...)) {
    return evaluate_now(Op{}, Attributes{}, a...);
  } else {
    if constexpr (!(expression<A> && ...)) {
      raise<a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder, in_op<Op>, shown<A>...>();
      return detail::first_expression(a...);
    } else if constexpr (detail::folds_literals<Op, Attributes, A...>()) {
      return detail::fold_literals<Op>(a...);
    } else if constexpr (Op::operands == dtype_rule::promote && Op::arity == 3) {
      return detail::call_typed_condition<Op, Attributes>(a...);
    } else {
      return detail::call_typed<Op, Attributes>(a...);
    }
  }
}

/// Calls Op on refs with attributes that are known as a value, as gradient rules do.
template <class Op, class... A>
constexpr ref call_with(const words& w, A... a) {
  const ref operands[] = {a...};
  return append(info_of<Op>, w, operands, static_cast<int>(sizeof...(A)));
}

/// The same for a node of a given type. Rules that name each other (of slice and pad) need it: what they say of an op depends
/// on their parameter then, and clang makes its description, and with it its rule, where they are used, not where they are read.
template <class Op, class X>
constexpr ref call_typed_with(const words& w, const tensor_type& type, X x) {
  return append(info_of<Op>, w, type, &x, 1);
}

}  // namespace etch
