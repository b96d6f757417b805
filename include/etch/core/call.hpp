// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/literal_fold.hpp>

/// What happens when an op object is called: on expressions it gives an expression, on refs it appends a node to a graph,
/// on eager tensors it computes. The three share one rule for dtypes and literals.
namespace etch {

/// An eager tensor or variable. `evaluate_now(op, attributes, operands...)` is found by argument-dependent look-up.
template <class T>
concept evaluated = std::is_base_of_v<tensor_base, T>;

template <class... A>
concept any_handle = (handle<A> || ...);

namespace detail {
template <int>
struct first_or_second {};
template <>
struct first_or_second<1> {
  template <class A, class...>
  using type = A;
};
template <>
struct first_or_second<2> {
  template <class A, class B, class...>
  using type = B;
};
}  // namespace detail
/// The first operand where it is a handle, else the second where some other is, else none. Overloads for handles have it as their declared
/// result: a gradient rule may then use the op that it belongs to, and clang, which substitutes results before it asks for requirements,
/// makes no function and no class for operands that are none.
template <class A, class... B>
using handle_among = typename detail::first_or_second<handle<A>            ? 1
                                                      : (handle<B> || ...) ? 2
                                                                           : 0>::template type<A, B...>;

template <class T>
concept symbolic = expression<T> || handle<T>;

/// What an op may be called on.
template <class T>
concept operand_like = symbolic<T> || evaluated<T>;

namespace detail {

/// Why these are no operands.
template <class... A>
using no_operand = std::conditional_t<(host_value<A> || ...), a_string_is_no_number_convert_it_by_strings_to_number,
                                      a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder>;

/// Whether all operands have values and dtypes, and where the op casts to a common one they have that: then nothing is converted. A condition,
/// the first of three, keeps its own. A function of values, since one of types is a class or function more for each call that a program makes.
template <int N>
constexpr bool are_taken_as_they_are(dtype_rule rule, int arity, const dtype (&types)[N]) {
  const int first = arity == 3 ? 1 : 0;
  const dtype common = rule == dtype_rule::promote && N > first ? promote(types + first, N - first) : dtype::none;
  for (int i = 0; i < N; ++i)
    if (types[i] == dtype::none || (rule == dtype_rule::promote && i >= first && types[i] != common)) return false;
  return true;
}

/// The dtype of the operands that are not literals; if all are literals, of those. None if there is none, which the op's own rule
/// will refuse.
template <int N>
constexpr dtype common_dtype(const dtype (&types)[N], const bool (&has_dtype)[N]) {
  dtype kept[N]{};
  int count = 0;
  for (int i = 0; i < N; ++i)
    if (has_dtype[i]) kept[count++] = types[i];
  return count > 0 ? promote(kept, count) : promote(types, N);
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
    constexpr dtype common = common_dtype({dtype_of<typename E::value_type>...}, {E::has_dtype...});
    return make_node<Op, Attributes>([](auto x) {
      if constexpr (is_literal<decltype(x)>)
        return converted<value_type_of<common>>(x);
      else
        return x;
    }(e)...);
  } else {
    using T = value_type_of<common_dtype({dtype_of<typename E::value_type>...}, {E::has_dtype...})>;
    return make_node<Op, Attributes>(converted<std::conditional_t<std::is_void_v<T>, typename E::value_type, T>>(e)...);
  }
}

/// A condition keeps its dtype; the two values meet in their common one.
template <class Op, class Attributes, class C, class A, class B>
constexpr auto call_typed_condition(C c, A a, B b) {
  using T = value_type_of<common_dtype({dtype_of<typename A::value_type>, dtype_of<typename B::value_type>},
                                       {A::has_dtype, B::has_dtype})>;
  constexpr bool meet = !std::is_void_v<T>;
  return make_node<Op, Attributes>(converted<typename C::value_type>(c),
                                   converted<std::conditional_t<meet, T, typename A::value_type>>(a),
                                   converted<std::conditional_t<meet, T, typename B::value_type>>(b));
}

template <class Op, class Attributes, class... A>
constexpr auto call_converted(A... a) {
  if constexpr (folds_literals<Op, Attributes, A...>())
    return fold_literals<Op>(a...);
  else if constexpr (Op::operands == dtype_rule::promote && Op::arity == 3)
    return call_typed_condition<Op, Attributes>(a...);
  else
    return call_typed<Op, Attributes>(a...);
}

template <handle V, class A>
constexpr V to_handle(A a, const V& beside) {
  if constexpr (handle<A>)
    return a;
  else
    return emit_constant(beside, A::as_scalar(beside.type().type));
}
template <class A, class... Rest>
constexpr auto last_handle(A a, Rest... rest) {
  if constexpr ((handle<Rest> || ...))
    return last_handle(rest...);
  else
    return a;
}

template <class A, class Node = typename plan_value<A>::node>
inline constexpr bool has_slots = value_expression<Node> && !is_literal<Node>;

template <class A>
constexpr auto refused_with(A a) {
  return a;
}
template <class A, class B, class... Rest>
constexpr auto refused_with(A a, B, Rest... rest) {
  if constexpr (has_slots<B>)
    return refused_with(
        make_node_of<refused_call, typename A::value_type, typename A::shape_type, attributes<>>(a, typename plan_value<B>::node{}),
        rest...);
  else
    return refused_with(a, rest...);
}

constexpr auto refused() { return literal<0>; }
template <class A, class... Rest>
constexpr auto refused(A a, Rest... rest) {
  if constexpr (has_slots<A>)
    return refused_with(typename plan_value<A>::node{}, a, rest...);
  else if constexpr (evaluated<A> || (value_expression<A> && !(has_slots<Rest> || ...)))
    return a;
  else
    return refused(rest...);
}
/// The error, and what the call gives that has these operands.
template <class Reason, class... Facts, class... A>
constexpr auto refusal(const A&... a) {
  raise<Reason, Facts...>();
  return refused(a...);
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

namespace detail {
template <class Op, class Attributes, class A, class... Rest>
constexpr auto call_handles(A first, Rest... rest) {
  const auto beside = last_handle(first, rest...);
  using V = std::remove_cv_t<decltype(beside)>;
  const V operands[] = {to_handle<V>(first, beside), to_handle<V>(rest, beside)...};
  return emit_node(op_tag<Op>{}, Attributes::value, operands, 1 + static_cast<int>(sizeof...(Rest)));
}
template <class First, class... Rest>
const auto& first_evaluated(const First& first, const Rest&... rest) {
  if constexpr (evaluated<First> || sizeof...(Rest) == 0)
    return first;
  else
    return first_evaluated(rest...);
}
}  // namespace detail

/// Where `<etch/eager.hpp>` is missing, which has what eager tensors are computed by: those of a dataset's map say so.
template <class Op, class... A>
auto evaluate_now(Op, const A&... a) {
  raise<ops_of_tensors_are_in_a_header_of_their_own_include_etch_eager_hpp, in_op<Op>>();
  return detail::first_evaluated(a...);
}

/// Calls Op with attributes that are known as a type. By reference, as operators and calls without attributes are: an eager tensor
/// that is copied on its way is counted up and down each time, which was half of what an addition took.
template <class Op, class Attributes, class... A>
constexpr auto call(const A&... a) {
  if constexpr (any_handle<A...>) {
    return detail::call_handles<Op, Attributes>(a...);
  } else if constexpr ((evaluated<A> || ...)) {
    return evaluate_now(Op{}, Attributes{}, a...);
  } else {
    if constexpr (!(expression<A> && ...))
      return detail::refusal<detail::no_operand<A...>, in_op<Op>, shown<A>...>(a...);
    else if constexpr (detail::are_taken_as_they_are(Op::operands, Op::arity,
                                                     {A::has_dtype ? dtype_of<typename A::value_type> : dtype::none...}))
      return make_node<Op, Attributes>(a...);
    else
      return detail::call_converted<Op, Attributes>(a...);
  }
}

template <class Op>
constexpr ref emit_node(op_tag<Op>, const words& attributes, const ref* operands, int count) {
  return append(info_of<Op>, attributes, operands, count);
}
template <class Op>
constexpr ref emit_node_as(op_tag<Op>, const words& attributes, const tensor_type& type, const ref& x) {
  return append(info_of<Op>, attributes, type, &x, 1);
}

/// Calls Op on handles with attributes that are known as a value, as gradient rules do.
template <class Op, handle V, class... Rest>
constexpr V emit(const words& w, V first, Rest... rest) {
  const V operands[] = {first, rest...};
  return emit_node(op_tag<Op>{}, w, operands, 1 + static_cast<int>(sizeof...(Rest)));
}
/// The same where the type of the result does not follow from the operand.
template <class Op, handle V>
constexpr V emit_as(const words& w, const tensor_type& type, V x) {
  return emit_node_as(op_tag<Op>{}, w, type, x);
}

}  // namespace etch
