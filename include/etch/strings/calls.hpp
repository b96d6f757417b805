// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/named.hpp>
#include <etch/ops/comparison.hpp>
#include <etch/strings/eager.hpp>
#include <etch/strings/ops.hpp>

/// What programs call on strings: of tensors it computes at once, in graphs it gives an expression, of constants a constant.
namespace etch {

namespace strings::detail {

/// Whether a call is of a graph, at once, or wrong: which is said.
enum class mode { graph, eager, wrong };
template <fixed_string Function, class... A>
constexpr mode mode_of() {
  if constexpr (sizeof...(A) == 0) {
    raise<this_call_has_the_wrong_number_of_operands, in_function<Function>>();
    return mode::wrong;
  } else if constexpr ((is_eager_text<A> && ...)) {
    return mode::eager;
  } else if constexpr ((symbolic_string<A> && ...)) {
    return mode::graph;
  } else if constexpr (((symbolic_string<A> || is_eager_text<A>) && ...)) {
    raise<a_run_time_string_cannot_stand_in_an_expression_write_text_c_or_feed_a_placeholder, in_function<Function>,
          typename etch::detail::shown_argument<A>::type...>();
    return mode::wrong;
  } else {
    raise<this_is_no_string_convert_it_by_strings_as_string, in_function<Function>,
          typename etch::detail::shown_argument<A>::type...>();
    return mode::wrong;
  }
}
/// Whether expressions broadcast.
template <fixed_string Function, class... A>
constexpr bool broadcasts() {
  constexpr bool fits = etch::detail::broadcast_together<false, typename A::shape_type...>;
  if constexpr (!fits) raise<shapes_do_not_broadcast, in_function<Function>, typename etch::detail::shown_argument<A>::type...>();
  return fits;
}

template <fixed_string Function, class Of, class... A>
constexpr auto call_each(const A&... a) {
  constexpr mode how = mode_of<Function, A...>();
  if constexpr (how == mode::graph) {
    if constexpr (broadcasts<Function, A...>())
      return apply_each<Of>(a...);
    else
      return etch::detail::refused(a...);
  } else if constexpr (how == mode::eager) {
    return evaluate_each<Of>(Function.text, as_string_tensor(a)...);
  } else {
    return etch::detail::refused(a...);
  }
}

}  // namespace strings::detail

namespace strings {

/// The strings one after another with the separator between them, element by element where shapes broadcast:
/// `join<" ">("hello"_c, "world"_c)` is `"hello world"_c`, which the compiler knows.
template <fixed_string Separator = "", class... A>
constexpr auto join(const A&... a) {
  if constexpr (sizeof...(A) > 0 && (etch::detail::is_string_constant<A> && ...))
    return string_constant<etch::detail::joined_texts(Separator, A::text...)>{};
  else
    return detail::call_each<"strings::join", detail::join_function<Separator>>(a...);
}

/// The number of bytes of each string: int32.
template <class A>
constexpr auto length(const A& a) {
  if constexpr (etch::detail::is_string_constant<A>)
    return literal<static_cast<std::int32_t>(A::value.size())>;
  else
    return detail::call_each<"strings::length", detail::length_function>(a);
}

/// Whether strings are equal, byte by byte: bool. Of tensors, expressions and constants also as `a == b`.
template <class A, class B>
constexpr auto equal(const A& a, const B& b) {
  if constexpr (etch::detail::is_string_constant<A> && etch::detail::is_string_constant<B>)
    return literal<(A::value == B::value)>;
  else
    return detail::call_each<"strings::equal", detail::equal_function>(a, b);
}

/// Strings one after another along an axis: `concat(axis<0>, cats, dogs)`.
template <int Axis, class First, class... Rest>
constexpr auto concat(axis_list<Axis>, const First& first, const Rest&... rest) {
  constexpr detail::mode how = detail::mode_of<"strings::concat", First, Rest...>();
  if constexpr (how == detail::mode::wrong)
    return etch::detail::refused(first, rest...);
  else if constexpr (((First::rank != Rest::rank) || ... || (Axis < -First::rank || Axis >= First::rank)))
    return etch::detail::refusal<axis_out_of_range, in_function<"strings::concat">,
                                 typename etch::detail::shown_argument<First>::type,
                                 typename etch::detail::shown_argument<Rest>::type..., axis_list<Axis>>(first, rest...);
  else if constexpr (how == detail::mode::eager)
    return detail::evaluate_concat<Axis>(detail::as_string_tensor(first), detail::as_string_tensor(rest)...);
  else
    return detail::strings_at(etch::concat(axis<Axis>, detail::node_of(first), detail::node_of(rest)...));
}

template <class... A>
constexpr auto concat(const A&... a) {
  return etch::detail::refusal<name_the_axis_in_angle_brackets, in_function<"strings::concat">,
                               typename etch::detail::shown_argument<A>::type..., instead_write<"strings::concat(axis<0>, x, y)">>(
      a...);
}

/// Numbers as prints write them, as short as they can be read back: `4`, `0.1`; of a bool `1` or `0`.
template <class X>
constexpr auto as_string(const X& x) {
  if constexpr (expression<X>) {
    using T = typename X::value_type;
    return detail::strings_at(
        call<detail::each_element<detail::as_string_function, std::string>, attributes<>>(etch::detail::converted<T>(x)));
  } else if constexpr (evaluated<X>) {
    return detail::evaluate_as_strings(tensor<typename X::value_type, X::rank>(x));
  } else if constexpr (std::is_arithmetic_v<X>) {
    return tensor<std::string, 0>(detail::as_string_function::of(x));
  } else {
    raise<this_call_has_the_wrong_arguments, in_function<"strings::as_string">, typename etch::detail::shown_argument<X>::type>();
    return ""_c;
  }
}

/// The numbers that the strings are, wholly: `to_number<float>(s)`. Of other strings the call, or the run, throws `etch::error`.
template <class T, class A>
constexpr auto to_number(const A& a) {
  if constexpr (!element<T> || std::is_same_v<T, bool> || is_storage_number<T>)
    return etch::detail::refusal<dtype_not_accepted, in_function<"strings::to_number">, got<T>>(a);
  else
    return detail::call_each<"strings::to_number", detail::to_number_function<T>>(a);
}
template <class A>
constexpr auto to_number(const A& a) {
  return etch::detail::refusal<name_the_dtype_in_angle_brackets, in_function<"strings::to_number">,
                               typename etch::detail::shown_argument<A>::type, instead_write<"strings::to_number<float>(x)">>(a);
}

}  // namespace strings

/// `a + b` is strings::join(a, b).
template <class A, class B>
  requires(host_value<A> || host_value<B>)
constexpr auto operator+(const A& a, const B& b) {
  return strings::join(a, b);
}
template <class A, class B>
  requires(host_value<A> || host_value<B>)
constexpr auto operator==(const A& a, const B& b) {
  return strings::equal(a, b);
}

template <class A, class B>
  requires(host_value<A> || host_value<B>)
constexpr auto operator!=(const A& a, const B& b) {
  return logical_not(strings::equal(a, b));
}

/// A string under a name.
template <fixed_string Name, symbolic_string A>
constexpr auto named(A, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return strings::detail::strings_at(named<Name>(typename plan_value<A>::node{}, file, line));
}
/// Graphs of strings as data, by `<etch/print.hpp>`: strings are the int64 that stand for them.
template <symbolic_string A>
std::string to_text(A) {
  return to_text(typename plan_value<A>::node{});
}
template <symbolic_string A>
std::string to_dot(A) {
  return to_dot(typename plan_value<A>::node{});
}

/// What strings are not: something to compute with.
#define ETCH_REFUSE_STRINGS(SYMBOL)                                                                \
  template <class A, class B>                                                                      \
    requires(host_value<A> || host_value<B>)                                                       \
  constexpr auto operator SYMBOL(const A& a, const B& b) {                                         \
    raise<a_string_is_no_number_convert_it_by_strings_to_number, in_function<"operator " #SYMBOL>, \
          typename detail::shown_argument<A>::type, typename detail::shown_argument<B>::type>();   \
    return detail::refused(a, b);                                                                  \
  }
ETCH_REFUSE_STRINGS(-)
ETCH_REFUSE_STRINGS(*)
ETCH_REFUSE_STRINGS(/)
ETCH_REFUSE_STRINGS(<)
ETCH_REFUSE_STRINGS(>)
#undef ETCH_REFUSE_STRINGS

}  // namespace etch
