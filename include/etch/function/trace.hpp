// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/structure.hpp>
#include <etch/function/argument.hpp>
#include <etch/function/assumptions.hpp>
#include <etch/session/fetch_aggregate.hpp>

/// The graph of a function for arguments of some kinds: what its body gives for a placeholder in the place of each.
namespace etch::detail {

template <int Argument>
inline constexpr auto argument_name = "argument_" + digits<Argument>;

/// The extent of an axis of an argument, as it stands in a shape.
template <int Argument, int Axis, class Extents>
constexpr auto argument_extent_at() {
  constexpr axis_extent e = Extents::at[axis_number(Argument, Axis)];
  if constexpr (e.symbol != 0) {
    return defined<symbol_key, e.symbol>{};
  } else if constexpr (e.value >= 0) {
    return canonical_extent<e.value>();
  } else {
    constexpr int argument = static_cast<int>(-1 - e.value) / max_rank, axis = static_cast<int>(-1 - e.value) % max_rank;
    return argument_extent<argument, axis>{};
  }
}

template <class Kind, int Argument, class Extents>
struct symbol_for;
template <class T, int Rank, int Argument, class Extents>
struct symbol_for<open_argument<T, Rank>, Argument, Extents> {
  template <int... Axis>
  static constexpr auto make(std::integer_sequence<int, Axis...>) {
    return placeholder<argument_name<Argument>, T, argument_extent_at<Argument, Axis, Extents>()...>{};
  }
  using type = decltype(make(std::make_integer_sequence<int, Rank>{}));
};
template <class T, auto... E, int Argument, class Extents>
struct symbol_for<shaped_argument<T, shape<E...>>, Argument, Extents> {
  using type = placeholder<argument_name<Argument>, T, E...>;
};
template <class A, int Argument, class Extents>
struct symbol_for<constant_argument<A>, Argument, Extents> {
  using type = A;
};

/// The symbols of the axes of an argument: those of its own extents; 0 elsewhere.
struct axis_symbols {
  hash_t at[max_rank]{};
};
template <class Kind, int Argument>
inline constexpr axis_symbols symbols_of{};
template <class T, int Rank, int Argument>
inline constexpr axis_symbols symbols_of<open_argument<T, Rank>, Argument> = []<int... Axis>(std::integer_sequence<int, Axis...>) {
  return axis_symbols{{extent_to_value<argument_extent<Argument, Axis>>::id...}};
}(std::make_integer_sequence<int, Rank>{});

/// Why a body cannot be called. C++ deduces what a member function of a nested class gives when the outermost class is complete; before,
/// it cannot be called, and nothing tells the one from the other. A lambda, which is no aggregate, is not meant.
template <class Body>
using body_is_not_called =
    std::conditional_t<std::is_aggregate_v<Body>,
                       the_body_of_this_function_does_not_take_these_arguments_or_the_class_around_it_is_not_complete_yet,
                       the_body_of_this_function_does_not_take_these_arguments>;

/// A trace with what is known of the arguments' extents so far.
template <class Body, class Extents, class Numbers, class... Kinds>
struct trace_attempt;
template <class Body, class Extents, int... K, class... Kinds>
struct trace_attempt<Body, Extents, std::integer_sequence<int, K...>, Kinds...> {
  static constexpr int arguments = sizeof...(Kinds);
  template <int I>
  using symbol = type_at<I, typename symbol_for<Kinds, K, Extents>::type...>;

  static constexpr auto call() {
    if constexpr (!std::is_invocable_v<const Body&, typename symbol_for<Kinds, K, Extents>::type...>) {
      raise<body_is_not_called<Body>, typename shown_argument_kind<Kinds>::type...>();
      return std::type_identity<void>{};
    } else {
      using given = std::invoke_result_t<const Body&, typename symbol_for<Kinds, K, Extents>::type...>;
      if constexpr (!fetchable<given>) raise<a_functions_body_gives_an_expression_or_a_structure_of_some, got<given>>();
      return std::type_identity<std::conditional_t<fetchable<given>, given, void>>{};
    }
  }
  /// What the body gives: an expression, or a structure of some; void after an error.
  using results = typename decltype(call())::type;
  template <class F>
  static constexpr results run(const F& body) {
    return body(typename symbol_for<Kinds, K, Extents>::type{}...);
  }

  template <class... E>
  static constexpr unified_axes<arguments> unify(type_list<E...>) {
    const record* const roots[] = {record_address<E::hash>..., nullptr};
    hash_t ids[arguments * max_rank + 1]{};
    const axis_symbols* const symbols[] = {&symbols_of<Kinds, K>..., nullptr};
    for (int a = 0; a < arguments * max_rank; ++a) ids[a] = symbols[a / max_rank]->at[a % max_rank];
    return unify_axes<arguments>(roots, sizeof...(E), Extents::at, ids);
  }
};

template <class Unified, int Axis>
constexpr auto unified_extent() {
  constexpr axis_extent e = Unified::value.at[Axis];
  if constexpr (e.symbol != 0)
    return named_axis{e.symbol};
  else
    return e.value;
}
template <class Unified, int... Axis>
auto extents_of_unified(std::integer_sequence<int, Axis...>) -> argument_extents<unified_extent<Unified, Axis>()...>;

template <class Body, class Extents, class... Kinds>
struct trace_from {
  using attempt = trace_attempt<Body, Extents, std::make_integer_sequence<int, sizeof...(Kinds)>, Kinds...>;
  struct unified {
    static constexpr auto value = attempt::unify(typename fetch_traits<typename attempt::results>::leaves{});
  };
  static constexpr auto go_on() {
    if constexpr (!(is_open_argument<Kinds> || ...) || std::is_void_v<typename attempt::results>) {
      return attempt{};
    } else if constexpr (unified::value.conflict >= 0) {
      constexpr int axis = unified::value.conflict;
      raise<this_axis_of_an_argument_would_have_two_extents, argument_extent<axis / max_rank, axis % max_rank>>();
      return attempt{};
    } else {
      using next = decltype(extents_of_unified<unified>(std::make_integer_sequence<int, sizeof...(Kinds) * max_rank>{}));
      if constexpr (std::is_same_v<next, Extents>)
        return attempt{};
      else
        return typename trace_from<Body, next, Kinds...>::type{};
    }
  }
  using type = decltype(go_on());
};

template <int... Axis>
auto all_apart(std::integer_sequence<int, Axis...>) -> argument_extents<(std::int64_t{-1} - Axis)...>;

/// The trace of a body for arguments of these kinds. Traced again with what its ops take for equal, until they take no more.
template <class Body, class... Kinds>
using trace =
    typename trace_from<Body, decltype(all_apart(std::make_integer_sequence<int, sizeof...(Kinds) * max_rank>{})), Kinds...>::type;

}  // namespace etch::detail
