// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>

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

}  // namespace etch
