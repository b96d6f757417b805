// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>
#include <utility>

#include <xtensor/xtensor.hpp>

#include <etch/core/constant.hpp>

/// What a run gives for each fetch, and how several become one result.
namespace etch::detail {

/// For what has no value: a training step.
struct no_value {};

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
struct valued {
  struct list {
    std::size_t count = 0, at[sizeof...(R) + 1]{};
  };
  static constexpr list value = [] {
    constexpr bool has[] = {!std::is_same_v<R, no_value>..., false};
    list l;
    for (std::size_t i = 0; i < sizeof...(R); ++i)
      if (has[i]) l.at[l.count++] = i;
    return l;
  }();
  template <std::size_t... K>
  static std::index_sequence<value.at[K]...> expand(std::index_sequence<K...>);
  using places = decltype(expand(std::make_index_sequence<value.count>{}));
};

/// What a run returns: one value alone, several as a tuple, none as nothing.
template <class... R>
auto values_of(std::tuple<R...>&& all) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (sizeof...(I) == 1)
      return (std::get<I>(std::move(all)), ...);
    else if constexpr (sizeof...(I) > 1)
      return std::tuple<std::tuple_element_t<I, std::tuple<R...>>...>(std::get<I>(std::move(all))...);
  }(typename valued<R...>::places{});
}

/// What a bound step returns: numbers by value, arrays by reference.
template <class R>
using view_of_result = std::conditional_t<std::is_arithmetic_v<R>, R, const R&>;
template <class... R>
decltype(auto) views_of(const std::tuple<R...>& all) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
    using tuple = std::tuple<R...>;
    if constexpr (sizeof...(I) == 1)
      return (static_cast<view_of_result<std::tuple_element_t<I, tuple>>>(std::get<I>(all)), ...);
    else if constexpr (sizeof...(I) > 1)
      return std::tuple<view_of_result<std::tuple_element_t<I, tuple>>...>(std::get<I>(all)...);
  }(typename valued<R...>::places{});
}

/// Makes room for each result and hands its address to the executor.
template <class Executor, class... R>
void place_results(Executor& e, std::tuple<R...>& results) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (
        [&] {
          auto& r = std::get<I>(results);
          using type = std::remove_reference_t<decltype(r)>;
          if constexpr (std::is_arithmetic_v<type>) {
            e.bind_fetch(I, &r);
          } else if constexpr (!std::is_same_v<type, no_value>) {
            typename type::shape_type extents;
            for (std::size_t d = 0; d < extents.size(); ++d)
              extents[d] = static_cast<std::size_t>(e.fetch_extent(I, static_cast<int>(d)));
            r.resize(extents);
            e.bind_fetch(I, r.data());
          }
        }(),
        ...);
  }(std::make_integer_sequence<int, sizeof...(R)>{});
}

}  // namespace etch::detail
