// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <iosfwd>

#include <etch/base/type_list.hpp>
#include <etch/core/call.hpp>

/// What calls get that no overload takes: one error, which says what was called, what it got, and what to write instead.
/// Each function has a last overload for them, `template <class... A> f(const A&...)`: less specialised than all others, so a
/// right call costs the compiler its declaration and nothing else. Another one takes braces, which are no argument of a template.
namespace etch {

namespace detail {

/// Takes whatever stands in braces.
struct any_braces {
  template <class... A>
    requires(sizeof...(A) > 1)
  constexpr any_braces(const A&...) {}
  constexpr any_braces(std::initializer_list<any_braces>) {}
};

/// A text with each `$` replaced by a name.
template <fixed_string Text, fixed_string Name>
constexpr auto replaced() {
  constexpr std::size_t dollars = [] {
    std::size_t n = 0;
    for (const char c : Text.text) n += c == '$' ? 1 : 0;
    return n;
  }();
  char text[Text.size + 1 + dollars * Name.size - dollars]{};
  std::size_t n = 0;
  for (const char c : Text.text) {
    if (c != '$')
      text[n++] = c;
    else
      for (std::size_t i = 0; i < Name.size; ++i) text[n++] = Name.text[i];
  }
  return fixed_string<sizeof text>(text);
}

/// clang shows no more of a text than this.
inline constexpr std::size_t longest_shown = 36;

/// The same, by x where the name is too long.
template <fixed_string Text, fixed_string Name>
constexpr auto with_operand() {
  if constexpr (decltype(replaced<Text, Name>())::size > longest_shown)
    return replaced<Text, "x">();
  else
    return replaced<Text, Name>();
}

/// What stands for the first operand in what to write instead: a slot's name, else x.
template <class...>
inline constexpr fixed_string first_name = "x";
template <fixed_string Name, class T, class Shape, class... Rest>
inline constexpr fixed_string<Name.size + 1> first_name<slot_named<Name, T, Shape>, Rest...> = Name;
template <class T, class Shape, class... Rest>
inline constexpr fixed_string first_name<operand<T, Shape>, Rest...> = "x";

/// An argument of any kind, in messages.
template <class A>
struct shown_argument {
  using type = got<std::remove_cvref_t<A>>;
};
template <class A>
  requires(expression<A> || evaluated<A>)
struct shown_argument<A> : shown_operand<A> {};
template <>
struct shown_argument<any_braces> {
  using type = got<braces>;
};
template <class T>
struct shown_argument<std::initializer_list<T>> {
  using type = got<braces>;
};
template <int... Axes>
struct shown_argument<axis_list<Axes...>> {
  using type = axis_list<Axes...>;
};
template <auto... Extents>
struct shown_argument<shape<Extents...>> {
  using type = etch::shown_shape<canonical_shape<Extents...>>;
};

template <class>
inline constexpr bool is_shape = false;
template <auto... Extents>
inline constexpr bool is_shape<shape<Extents...>> = true;

/// Arrays and other things with elements: what is fed, not computed with.
template <class A>
concept has_elements = !expression<A> && !evaluated<A> && !host_value<A> && requires(const A& a) {
  a.begin();
  a.size();
} && !requires(const A& a) { []<class T>(const std::initializer_list<T>&) {}(a); };

/// An error about a call: of what is to be named if its operands are right.
template <class Reason, class Where, fixed_string Instead, class... A>
constexpr void refuse_as() {
  if constexpr ((has_elements<A> || ...))
    raise<an_array_cannot_stand_in_an_expression_feed_a_placeholder, Where, typename shown_argument<A>::type...>();
  else if constexpr ((host_value<A> || ...))
    raise<a_string_is_no_number_convert_it_by_strings_to_number, Where, typename shown_argument<A>::type...>();
  else
    raise<Reason, Where, typename shown_argument<A>::type...,
          instead_write<with_operand<Instead, first_name<typename shown_argument<A>::type...>>()>>();
}

/// The name of an op, as a text.
template <class Op>
constexpr auto text_of_op() {
  constexpr std::size_t size = [] {
    std::size_t n = 0;
    while (Op::name[n] != '\0') ++n;
    return n;
  }();
  char text[size + 1]{};
  for (std::size_t i = 0; i < size; ++i) text[i] = Op::name[i];
  return fixed_string<size + 1>(text);
}

/// What a call gives that is not taken: the error, and something to go on with.
template <class Reason, class Where, fixed_string Instead, class... A>
constexpr auto refuse_operands(const A&... a) {
  refuse_as<Reason, Where, Instead, A...>();
  return refused(a...);
}
/// Of an op, whose name `Instead` follows.
template <class Reason, class Op, fixed_string Instead, class... A>
constexpr auto refuse_op(const A&... a) {
  return refuse_operands<Reason, in_op<Op>, text_of_op<Op>() + Instead>(a...);
}
/// Of a function of several ops; `Instead` is the whole call.
template <class Reason, fixed_string Function, fixed_string Instead, class... A>
constexpr auto refuse_function(const A&... a) {
  return refuse_operands<Reason, in_function<Function>, Instead>(a...);
}

/// A reduction, called as the elementwise op that C++ has under its name: max(a, b).
template <class Op, class... A>
concept of_two_expressions =
    sizeof...(A) == 2 && requires { Op::name_of_two; } && (operand_like<A> && ...) && !(is_literal<A> || ...);

/// Whether a function of several ops takes operands of these dtypes: an error that names it, not one of its ops.
template <fixed_string Function, dtype_set Accepted, class... X>
constexpr bool takes_dtypes() {
  constexpr auto fits = []<class E>(std::type_identity<E>) {
    if constexpr (expression<E>)
      return is_literal<E> || contains(Accepted, dtype_of<typename E::value_type>);
    else
      return true;
  };
  if constexpr ((fits(std::type_identity<X>{}) && ...)) {
    return true;
  } else {
    constexpr auto is_stored = []<class E>(std::type_identity<E>) {
      if constexpr (expression<E>)
        return is_storage(dtype_of<typename E::value_type>);
      else
        return false;
    };
    return raise<std::conditional_t<(is_stored(std::type_identity<X>{}) || ...),
                                    this_dtype_is_for_storage_write_astype_float_of_it_first, dtype_not_accepted>,
                 in_function<Function>, shown<X>...>();
  }
}

/// An error about a shape that is not possible.
template <class Shape, class... Facts>
constexpr void refuse_shape() {
  raise<std::conditional_t<(Shape::rank > max_rank), too_many_axes, an_extent_is_negative_name_one_that_is_not_known_by_any>,
        Facts...>();
}

/// Whether X has these axes.
template <fixed_string Function, class X, int... Axes>
constexpr bool takes_axes(axis_list<Axes...> = {}) {
  if constexpr (expression<X>) {
    if constexpr (!((Axes >= -X::rank && Axes < X::rank) && ...))
      return raise<axis_out_of_range, in_function<Function>, shown<X>, axis_list<Axes...>>();
  }
  return true;
}

/// Whether these are numbers that the compiler sees, expressions, or eager beside one that is.
template <fixed_string Function, class... X>
constexpr bool takes_operands() {
  if constexpr ((operand_like<X> && ...) || ((evaluated<X> || ...))) {
    return true;
  } else {
    if constexpr ((has_elements<X> || ...))
      raise<an_array_cannot_stand_in_an_expression_feed_a_placeholder, in_function<Function>,
            typename shown_argument<X>::type...>();
    else
      raise<no_operand<X...>, in_function<Function>, shown<X>...>();
    return false;
  }
}

/// Whether the first axes of two shapes are equal, or may be: in a traced function the extents of arguments may be any others.
template <int Axes, class A, class B>
inline constexpr bool may_begin_alike = [] {
  extent_table table;
  inference context{table};
  return context.agree_in_first(Axes, A::value(table, dtype::float32), B::value(table, dtype::float32));
}();
template <class A, class B>
inline constexpr bool may_be_alike = A::rank == B::rank && may_begin_alike<A::rank, A, B>;
template <class A>
inline constexpr bool may_be_alike<A, A> = true;

/// Whether these shapes broadcast, the others to the first if `Keeps`.
template <bool Keeps, class... Shape>
inline constexpr bool broadcast_together = [] {
  extent_table table;
  inference context{table};
  const tensor_type types[] = {Shape::value(table, dtype::float32)...};
  tensor_type all = types[0];
  for (const tensor_type& t : types) all = rules::broadcast(context, all, t);
  return context.failure == reason::none && (!Keeps || context.agree(all, types[0]));
}();
template <fixed_string Function, bool Keeps, class... X>
constexpr bool takes_shapes() {
  if constexpr ((expression<X> && ...)) {
    if constexpr (!broadcast_together<Keeps, typename X::shape_type...>)
      return raise<shapes_do_not_broadcast, in_function<Function>, shown<X>...>();
  }
  return true;
}

template <class A>
using literal_for = decltype(literal<(sizeof(A*) == 0 ? 1.f : 0.f)>.node());

/// Stands for what was asked for by an A, so that what is done with it is no second error. A template, so that right programs do
/// without.
template <class A>
struct refused_element : literal_for<A> {
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr operator Number() const {
    return Number();
  }
};

/// What a run gives whose arguments are none.
template <class Reason, fixed_string Function, fixed_string Instead, class... A>
constexpr auto refuse_run() {
  raise<Reason, in_function<Function>, typename shown_argument<A>::type..., instead_write<Instead>>();
  return refused_element<type_list<A...>>{};
}

/// Elements of a slot.
template <class Slot, class... I>
constexpr auto refuse_elements() {
  refuse_as<an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather, shown<Slot>,
            with_operand<"slice($, section<0, 1>)", first_name<shown<Slot>>>(), I...>();
  return refused_element<Slot>{};
}

template <class E>
constexpr void refuse_change() {
  refuse_use<an_expression_cannot_be_changed_make_another_or_assign_to_a_variable, E,
             instead_write<with_operand<"assign($, $ + step)", first_name<shown<E>>>()>>();
}

}  // namespace detail

/// The last overload of a function, for calls that no other takes: `ETCH_REFUSE_CALLS(relu, reason, "relu($)")`. Behind what is to be
/// written instead stand template parameters in front of the operands' types. `_AS`: under another name in errors. Of braces, alone or in
/// front of other arguments: `ETCH_REFUSE_BRACES`.
#define ETCH_REFUSE_CALLS_AS(TEXT, NAME, REASON, INSTEAD, ...)                   \
  template <__VA_ARGS__ __VA_OPT__(, ) class... A>                               \
  constexpr auto NAME(const A&... a) {                                           \
    return ::etch::detail::refuse_function<::etch::REASON, TEXT, INSTEAD>(a...); \
  }
#define ETCH_REFUSE_CALLS(NAME, ...) ETCH_REFUSE_CALLS_AS(#NAME, NAME, __VA_ARGS__)
#define ETCH_REFUSE_BRACES(NAME, REASON, INSTEAD, ...)                                    \
  template <__VA_ARGS__ __VA_OPT__(, ) class Element, class... A>                         \
  constexpr auto NAME(std::initializer_list<Element> braces, const A&... a) {             \
    return ::etch::detail::refuse_function<::etch::REASON, #NAME, INSTEAD>(braces, a...); \
  }
/// The same of an op, whose name INSTEAD follows.
#define ETCH_REFUSE_OPERANDS(OP, REASON, INSTEAD)                        \
  template <class... A>                                                  \
  constexpr auto operator()(const A&... a) const {                       \
    return ::etch::detail::refuse_op<::etch::REASON, OP, INSTEAD>(a...); \
  }
#define ETCH_REFUSE_OPERANDS_AND_BRACES(OP, REASON, INSTEAD)                       \
  ETCH_REFUSE_OPERANDS(OP, REASON, INSTEAD)                                        \
  template <class X>                                                               \
  constexpr auto operator()(const X& x, std::initializer_list<int> braces) const { \
    return ::etch::detail::refuse_op<::etch::REASON, OP, INSTEAD>(x, braces);      \
  }

/// What an expression is not: something to change, to loop over, or to print.
#define ETCH_REFUSE_CHANGE(SYMBOL)                            \
  template <expression E, class A>                            \
    requires(!detail::is_literal<E>)                          \
  constexpr const E& operator SYMBOL(const E & e, const A&) { \
    detail::refuse_change<E>();                               \
    return e;                                                 \
  }
ETCH_REFUSE_CHANGE(+=)
ETCH_REFUSE_CHANGE(-=)
ETCH_REFUSE_CHANGE(*=)
ETCH_REFUSE_CHANGE(/=)
#undef ETCH_REFUSE_CHANGE
template <expression E>
constexpr const E& operator++(const E& e) {
  detail::refuse_change<E>();
  return e;
}
template <expression E>
constexpr E operator++(const E& e, int) {
  detail::refuse_change<E>();
  return e;
}

template <expression E>
constexpr const E* begin(const E& e) {
  detail::refuse_use<an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather, E,
                     instead_write<detail::with_operand<"slice($, section<0, 1>)", detail::first_name<shown<E>>>()>>();
  return &e;
}
template <expression E>
constexpr const E* end(const E& e) {
  return &e;
}

template <class Character, class Traits, expression E>
std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& stream, const E&) {
  detail::refuse_use<an_expression_has_no_value_until_a_session_runs_it, E, instead_write<"session.run(y)">,
                     instead_write<"etch::to_text(y)">>();
  return stream;
}

}  // namespace etch
