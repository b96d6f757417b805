// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include <etch/base/type_list.hpp>
#include <etch/core/expression.hpp>

/// What `run` computes beside plain expressions: structures of them, and whatever else says by a `fetch_traits` of which expressions, and
/// of what is fed, its result is made.
namespace etch {

/// How an F is fetched. Either a structure, whose `members` are fetched and whose result `make<M...>(M&&...)` is; M is what a member gives,
/// a value or a reference to it, `no_value` for what has none. Or a leaf: `leaves`, the expressions that the plan computes for it; `slots`,
/// what must be fed to it (classes with `held_type` and `hold(value)`, no expressions; messages show their `name_type`, `value_type` and
/// `shape_type`); `rebuild<M...>(fed, M&&...)`, its result, out of
/// the leaves' values and `fed.of<Slot>()`, which is a `const Slot::held_type&`. One whose leaves' values stand for what the run
/// keeps has `forget(values)`, after which they stand for nothing.
template <class F>
struct fetch_traits {};

namespace detail {

/// Whether a run may fetch it.
template <class F>
concept fetchable = expression<F> || requires { typename fetch_traits<F>::leaves; };

/// Whether all are, asked of the fewest classes where they are plain expressions.
template <class... F>
inline constexpr bool are_fetchable = all_hold<fetchable<F>...>;

template <class... A, class... B>
type_list<A..., B...> operator+(type_list<A...>, type_list<B...>);
template <class... Lists>
using joined_lists = decltype((type_list<>{} + ... + Lists{}));

template <class F>
inline constexpr bool is_structure = requires { typename fetch_traits<F>::members; };
/// Whether there is anything in a structure.
template <class F>
constexpr bool is_computed() {
  if constexpr (is_structure<F>)
    return fetch_traits<F>::is_computed;
  else
    return true;
}

/// What fetching these members takes.
template <class... F>
struct fetched_members {
  using members = type_list<F...>;
  using leaves = joined_lists<typename fetch_traits<F>::leaves...>;
  using slots = joined_lists<typename fetch_traits<F>::slots...>;
  static constexpr bool is_computed = (detail::is_computed<F>() || ...);
};

/// A tuple of what has a value.
template <class... M>
auto tuple_of_values(M&&... m) {
  const auto all = std::forward_as_tuple(std::forward<M>(m)...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<type_at<I, M...>...>(std::get<I>(std::move(all))...);
  }(typename places_of<!std::is_same_v<M, no_value>...>::type{});
}

}  // namespace detail

template <expression E>
struct fetch_traits<E> {
  using leaves = detail::type_list<E>;
  using slots = detail::type_list<>;
};

/// A tuple gives a tuple of what has a value.
template <detail::fetchable... F>
struct fetch_traits<std::tuple<F...>> : detail::fetched_members<F...> {
  template <class... M>
  static auto make(M&&... m) {
    return detail::tuple_of_values<M...>(std::forward<M>(m)...);
  }
};

/// A pair gives a pair; a tuple of the other one where one has no value.
template <detail::fetchable A, detail::fetchable B>
struct fetch_traits<std::pair<A, B>> : detail::fetched_members<A, B> {
  template <class... M>
  static auto make(M&&... m) {
    if constexpr ((std::is_same_v<M, no_value> || ...))
      return detail::tuple_of_values<M...>(std::forward<M>(m)...);
    else
      return std::pair<M...>(std::forward<M>(m)...);
  }
};

namespace detail {
template <class F, std::size_t>
using same_for = F;
template <class F, std::size_t... I>
fetched_members<same_for<F, I>...> repeated_member(std::index_sequence<I...>);
}  // namespace detail

/// An array gives an array; a bound step, whose results are references, a tuple of them; where they have no value, an empty tuple.
template <detail::fetchable F, std::size_t N>
  requires(N > 0)
struct fetch_traits<std::array<F, N>> : decltype(detail::repeated_member<F>(std::make_index_sequence<N>{})) {
  template <class First, class... M>
  static auto make(First&& first, M&&... m) {
    if constexpr (std::is_reference_v<First> || std::is_same_v<First, no_value>)
      return detail::tuple_of_values<First, M...>(std::forward<First>(first), std::forward<M>(m)...);
    else
      return std::array<First, N>{std::forward<First>(first), std::forward<M>(m)...};
  }
};

}  // namespace etch
