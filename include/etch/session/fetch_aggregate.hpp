// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/fetch.hpp>

/// Classes whose members are fetched: `template <class L, class Y> struct outputs { L loss; Y logits; };`.
namespace etch {

namespace detail {

/// Becomes a member of whatever type; a base only of Whole.
struct any_member {
  template <class T>
  constexpr operator T() const noexcept;
};
template <class Whole>
struct any_base {
  template <class T>
    requires(std::is_base_of_v<T, Whole> && !std::is_same_v<T, Whole>)
  constexpr operator T() const noexcept;
};

template <class T>
concept plain_aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && !requires { T{any_base<T>{}}; };

template <class T, std::size_t... I>
constexpr bool has_members(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), any_member{})...}; };
}
/// More are not looked for, and such a class is no fetch.
inline constexpr std::size_t most_members = 16;
/// How many members an aggregate has; `most_members + 1` where there are more. Not all of them need a default: the most that it takes.
template <class T>
constexpr std::size_t count_of_members() {
  return []<std::size_t... N>(std::index_sequence<N...>) {
    constexpr bool taken[] = {has_members<T>(std::make_index_sequence<N>{})...};
    std::size_t n = most_members + 1;
    while (n > 0 && !taken[n]) --n;
    return n;
  }(std::make_index_sequence<most_members + 2>{});
}

template <class... M>
type_list<std::remove_cvref_t<M>...> list_members(M&...);
/// The types of an aggregate's members; never called.
template <class T>
constexpr auto types_of_members(T& t) {
  constexpr std::size_t n = count_of_members<T>();
#define ETCH_COUNTED_MEMBERS(N, ...)              \
  if constexpr (n == N) {                         \
    auto& [__VA_ARGS__] = t;                      \
    return decltype(list_members(__VA_ARGS__)){}; \
  } else
  ETCH_COUNTED_MEMBERS(1, a)
  ETCH_COUNTED_MEMBERS(2, a, b)
  ETCH_COUNTED_MEMBERS(3, a, b, c)
  ETCH_COUNTED_MEMBERS(4, a, b, c, d)
  ETCH_COUNTED_MEMBERS(5, a, b, c, d, e)
  ETCH_COUNTED_MEMBERS(6, a, b, c, d, e, f)
  ETCH_COUNTED_MEMBERS(7, a, b, c, d, e, f, g)
  ETCH_COUNTED_MEMBERS(8, a, b, c, d, e, f, g, h)
  ETCH_COUNTED_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  ETCH_COUNTED_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  ETCH_COUNTED_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  ETCH_COUNTED_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  ETCH_COUNTED_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  ETCH_COUNTED_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, o)
  ETCH_COUNTED_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p)
  ETCH_COUNTED_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q)
  return type_list<>{};
#undef ETCH_COUNTED_MEMBERS
}
template <class T>
using members_of = decltype(types_of_members(std::declval<T&>()));

template <class Members>
inline constexpr bool all_are_fetched = false;
template <class... F>
inline constexpr bool all_are_fetched<type_list<F...>> = sizeof...(F) > 0 && (fetchable<F> && ...);

template <class T>
concept aggregate_of_fetches = plain_aggregate<T> && !expression<T> && all_are_fetched<members_of<T>>;

template <class A, class... F>
constexpr std::size_t place_among() {
  return first_true({std::is_same_v<A, F>...});
}
/// The template that T is made from, with what its members give in place of their types.
template <class T, class Members, class... M>
struct same_template {
  static constexpr bool valid = false;
};
template <template <class...> class Template, class... A, class... F, class... M>
  requires((place_among<A, F...>() < sizeof...(F)) && ...)
struct same_template<Template<A...>, type_list<F...>, M...> {
  static constexpr bool valid = requires { Template<type_at<place_among<A, F...>(), M...>...>{std::declval<M>()...}; };
  template <class... Given>
  static auto make(Given&&... m) {
    return Template<type_at<place_among<A, F...>(), M...>...>{std::forward<Given>(m)...};
  }
};

template <class T, class Members>
struct aggregate_traits;
template <class T, class... F>
struct aggregate_traits<T, type_list<F...>> : fetched_members<F...> {
  template <class... M>
  static auto make(M&&... m) {
    using mirror = same_template<T, type_list<F...>, M...>;
    if constexpr (mirror::valid)
      return mirror::make(std::forward<M>(m)...);
    else
      return tuple_of_values<M...>(std::forward<M>(m)...);
  }
};

}  // namespace detail

/// A class of 1 to 16 public members that are fetched, without base classes: where it is a template of its members' types, it gives the same
/// template of their values, and what has no value is a `no_value`; else a tuple of the values, in order.
template <detail::aggregate_of_fetches T>
struct fetch_traits<T> : detail::aggregate_traits<T, detail::members_of<T>> {};

}  // namespace etch
