// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>

#include <etch/base/type_list.hpp>

namespace etch {

namespace detail {

template <std::size_t I, class T>
struct plain_member {
  T value{};
};
template <class Places, class... T>
struct plain_members;
template <std::size_t... I, class... T>
struct plain_members<std::index_sequence<I...>, T...> : plain_member<I, T>... {};

}  // namespace detail

/// Values of several types, each initialised with `{}`. Not std::tuple, whose constructors ask for each type whether it
/// converts to each other: that takes g++ 12 20 ms where one is an xtensor container.
template <class... T>
struct plain_tuple : detail::plain_members<std::index_sequence_for<T...>, T...> {};

/// Element I of a plain_tuple.
template <std::size_t I, class T>
constexpr T& member(detail::plain_member<I, T>& m) {
  return m.value;
}
template <std::size_t I, class T>
constexpr const T& member(const detail::plain_member<I, T>& m) {
  return m.value;
}

/// For structured bindings, and `get<0>(results)`.
template <std::size_t I, class... T>
constexpr auto& get(plain_tuple<T...>& t) {
  return member<I>(t);
}
template <std::size_t I, class... T>
constexpr auto& get(const plain_tuple<T...>& t) {
  return member<I>(t);
}
template <std::size_t I, class... T>
constexpr auto&& get(plain_tuple<T...>&& t) {
  return std::move(member<I>(t));
}

}  // namespace etch

template <class... T>
struct std::tuple_size<etch::plain_tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t I, class... T>
struct std::tuple_element<I, etch::plain_tuple<T...>> {
  using type = etch::detail::type_at<I, T...>;
};
