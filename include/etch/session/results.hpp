// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>
#include <utility>

#include <xtensor/xtensor.hpp>

#include <etch/base/plain_tuple.hpp>
#include <etch/base/type_list.hpp>
#include <etch/core/literal.hpp>
#include <etch/session/fetch.hpp>

/// What a run gives for each fetch, and how several become one result.
namespace etch::detail {

/// A fetch's result: a number for rank 0, an xtensor otherwise, nothing for what has no value.
template <class E>
struct result_of {
  using type = std::conditional_t<(E::rank == 0), typename E::value_type,
                                  xt::xtensor<typename E::value_type, static_cast<std::size_t>(E::rank)>>;
};
template <class E>
  requires std::is_void_v<typename E::value_type>
struct result_of<E> {
  using type = no_value;
};
template <class E>
  requires is_literal<E>
struct result_of<E> {
  using type = typename E::value_type;
};
template <class E>
using result_type = typename result_of<E>::type;

template <class E>
inline constexpr bool has_value = !std::is_void_v<typename E::value_type>;

/// The places of the results that have a value.
template <class... R>
using valued = places_of<!std::is_same_v<R, no_value>...>;

/// Of more than these g++ 12 cannot compile a std::tuple within its default depth of templates: a plain_tuple has them.
inline constexpr std::size_t most_in_a_tuple = 256;

/// What a run returns: one value alone, several as a tuple, none as nothing.
template <class... R>
auto values_of(plain_tuple<R...>& all) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (sizeof...(I) == 1)
      return (std::move(member<I>(all)), ...);
    else if constexpr (sizeof...(I) > most_in_a_tuple)
      return plain_tuple<std::remove_reference_t<decltype(member<I>(all))>...>{{{std::move(member<I>(all))}...}};
    else if constexpr (sizeof...(I) > 1)
      return std::tuple<std::remove_reference_t<decltype(member<I>(all))>...>(std::move(member<I>(all))...);
  }(typename valued<R...>::type{});
}

/// What a bound step returns: numbers by value, arrays by reference.
template <class R>
using view_of_result = std::conditional_t<is_number_type<std::remove_cvref_t<R>>, std::remove_cvref_t<R>, R>;
template <class... R>
decltype(auto) views_of(const plain_tuple<R...>& all) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
    if constexpr (sizeof...(I) == 1)
      return (static_cast<view_of_result<decltype(member<I>(all))>>(member<I>(all)), ...);
    else if constexpr (sizeof...(I) > most_in_a_tuple)
      return plain_tuple<view_of_result<decltype(member<I>(all))>...>{{{member<I>(all)}...}};
    else if constexpr (sizeof...(I) > 1)
      return std::tuple<view_of_result<decltype(member<I>(all))>...>(member<I>(all)...);
  }(typename valued<R...>::type{});
}

template <class Executor, class R>
void place_result(Executor& e, [[maybe_unused]] int fetch, [[maybe_unused]] R& result) {
  if constexpr (is_number_type<R>) {
    e.bind_fetch(fetch, &result);
  } else if constexpr (std::is_base_of_v<tensor_base, R>) {
    tensor_type type;
    type.type = R::type;
    type.rank = R::rank;
    for (int d = 0; d < R::rank; ++d) type.extents[d] = e.fetch_extent(fetch, d);
    result.reset(type);
    e.bind_fetch(fetch, result.bytes());
  } else if constexpr (!std::is_same_v<R, no_value>) {
    typename R::shape_type extents;
    for (std::size_t d = 0; d < extents.size(); ++d)
      extents[d] = static_cast<std::size_t>(e.fetch_extent(fetch, static_cast<int>(d)));
    try {
      result.resize(extents);
    } catch (const std::bad_alloc&) {
      fail("run: there is no memory for fetch %d", fetch);
    }
    e.bind_fetch(fetch, result.data());
  }
}
/// Makes room for each result and hands its address to the executor.
template <class Executor, class... R>
void place_results(Executor& e, plain_tuple<R...>& results) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const int placed[] = {0, (place_result(e, static_cast<int>(I), member<I>(results)), 0)...};
  }(std::index_sequence_for<R...>{});
}

}  // namespace etch::detail
