// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

/// Packs of types as one type, and some of a pack, without recursion: 500 arguments would be deeper than compilers go.
namespace etch::detail {

template <class... T>
struct type_list {
  static constexpr int size = sizeof...(T);
};

/// The place of the first of these that is true, or how many there are.
constexpr std::size_t first_true(std::initializer_list<bool> all) {
  std::size_t i = 0;
  while (i < all.size() && !all.begin()[i]) ++i;
  return i;
}

/// The places of the chosen ones, in order, as an index_sequence.
template <bool... Chosen>
struct places_of {
  struct list {
    std::size_t count = 0, at[sizeof...(Chosen) + 1]{};
  };
  static constexpr list value = [] {
    constexpr bool chosen[] = {Chosen..., false};
    list l;
    for (std::size_t i = 0; i < sizeof...(Chosen); ++i)
      if (chosen[i]) l.at[l.count++] = i;
    return l;
  }();
  template <std::size_t... K>
  static std::index_sequence<value.at[K]...> expand(std::index_sequence<K...>);
  using type = decltype(expand(std::make_index_sequence<value.count>{}));
};

template <std::size_t I, class T>
struct placed_type {};
template <class Places, class... T>
struct placed_types;
template <std::size_t... I, class... T>
struct placed_types<std::index_sequence<I...>, T...> : placed_type<I, T>... {};
template <std::size_t I, class T>
std::type_identity<T> type_in(const placed_type<I, T>&);

template <std::size_t I, class... T>
using type_at = typename decltype(type_in<I>(std::declval<placed_types<std::index_sequence_for<T...>, T...>>()))::type;

/// The types at these places.
template <class... T, std::size_t... I>
auto types_at(std::index_sequence<I...>) -> type_list<type_at<I, T...>...>;

/// The types of a pack that are chosen: `chosen_types<type_list<A, B, C>, true, false, true>` is `type_list<A, C>`.
template <class Types, bool... Chosen>
struct chosen;
template <class... T, bool... Chosen>
struct chosen<type_list<T...>, Chosen...> {
  using type = decltype(types_at<T...>(typename places_of<Chosen...>::type{}));
};
template <class Types, bool... Chosen>
using chosen_types = typename chosen<Types, Chosen...>::type;

}  // namespace etch::detail
