// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/fetch_aggregate.hpp>
#include <etch/session/results.hpp>
#include <etch/session/signature.hpp>

/// Calls of `run` and `bind` that fetch more than plain expressions: what of them the plan computes, and their results.
namespace etch::detail {

/// What was fed to slots that the plan does not know, for as long as the results are made of it.
template <class... Slots>
struct held_feeds {
  plain_tuple<typename Slots::held_type...> values;

  template <class Slot>
  const typename Slot::held_type& of() const {
    return member<place_among<Slot, Slots...>()>(values);
  }
};

/// The values of the leaves, and what becomes of them.
template <class Fetches, class Held, class... R>
struct structured_results : plain_tuple<R...> {
  Held held;
};

/// What fetch F gives, whose leaves begin at First.
template <class F, std::size_t First, class Results>
decltype(auto) value_of_fetch(Results& all);

template <std::size_t First, class... F>
constexpr std::size_t first_leaf(std::size_t member) {
  constexpr std::size_t sizes[] = {fetch_traits<F>::leaves::size..., 0};
  std::size_t at = First;
  for (std::size_t i = 0; i < member; ++i) at += sizes[i];
  return at;
}
/// Calls `use.template operator()<M...>(M&&...)` with what the members give.
template <std::size_t First, class... F, class Results, class Use>
decltype(auto) with_members(type_list<F...>, Results& all, Use use) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
    return use.template operator()<decltype(value_of_fetch<F, first_leaf<First, F...>(I)>(all))...>(
        value_of_fetch<F, first_leaf<First, F...>(I)>(all)...);
  }(std::index_sequence_for<F...>{});
}
/// A number or an array by value where the results may be taken apart; else arrays by reference.
template <std::size_t I, class Results>
decltype(auto) leaf_value(Results& all) {
  if constexpr (std::is_const_v<Results>)
    return static_cast<view_of_result<decltype(member<I>(all))>>(member<I>(all));
  else
    return std::remove_reference_t<decltype(member<I>(all))>(std::move(member<I>(all)));
}

template <class F, std::size_t First, class Results>
decltype(auto) value_of_fetch(Results& all) {
  if constexpr (expression<F>) {
    return leaf_value<First>(all);
  } else if constexpr (is_structure<F>) {
    return with_members<First>(typename fetch_traits<F>::members{}, all,
                               []<class... M>(M&&... m) { return fetch_traits<F>::template make<M...>(std::forward<M>(m)...); });
  } else {
    return with_members<First>(typename fetch_traits<F>::leaves{}, all, [&]<class... M>(M&&... m) {
      return fetch_traits<F>::template rebuild<M...>(all.held, std::forward<M>(m)...);
    });
  }
}

template <class... M>
type_at<places_of<!std::is_same_v<M, no_value>...>::value.at[0], M...> only_value(M&&... m) {
  return std::get<0>(tuple_of_values<M...>(std::forward<M>(m)...));
}
/// One fetch gives its value, several a tuple of what has one.
template <class... F, class Results>
decltype(auto) values_of_fetches(type_list<F...>, Results& all) {
  return with_members<0>(type_list<F...>{}, all, []<class... M>(M&&... m) -> decltype(auto) {
    using valued_places = typename places_of<!std::is_same_v<M, no_value>...>::type;
    if constexpr (valued_places::size() > 1)
      return tuple_of_values<M...>(std::forward<M>(m)...);
    else if constexpr (valued_places::size() == 1)
      return only_value<M...>(std::forward<M>(m)...);
  });
}
template <class Fetches, class Held, class... R>
decltype(auto) values_of(structured_results<Fetches, Held, R...>& all) {
  return values_of_fetches(Fetches{}, all);
}
template <class Fetches, class Held, class... R>
decltype(auto) views_of(const structured_results<Fetches, Held, R...>& all) {
  return values_of_fetches(Fetches{}, all);
}

template <std::size_t First, class... F, class Results>
void forget_members(type_list<F...>, Results& all);
/// Of results that stand for what a run keeps, as those of strings do: they stand for nothing then.
template <class F, std::size_t First, class Results>
void forget_fetch([[maybe_unused]] Results& all) {
  if constexpr (is_structure<F>)
    forget_members<First>(typename fetch_traits<F>::members{}, all);
  else if constexpr (requires { fetch_traits<F>::forget(member<First>(all)); })
    fetch_traits<F>::forget(member<First>(all));
}
template <std::size_t First, class... F, class Results>
void forget_members(type_list<F...>, Results& all) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (forget_fetch<F, first_leaf<First, F...>(I)>(all), ...);
  }(std::index_sequence_for<F...>{});
}
template <class... R>
void forget(plain_tuple<R...>&) {}
template <class Fetches, class Held, class... R>
void forget(structured_results<Fetches, Held, R...>& all) {
  forget_members<0>(Fetches{}, all);
}

/// Stands for the places of results: see step.hpp.
struct structured_places {};
template <class Fetches, class Held, class... R>
structured_places places_of_results(const structured_results<Fetches, Held, R...>*);

/// Refuses a slot that is read and not fed, or fed twice.
template <class... Needed, class... Fed>
constexpr void check_host_feeds(type_list<Needed...>, type_list<Fed...>) {
  constexpr std::size_t unfed = first_true({place_among<Needed, Fed...>() == sizeof...(Fed)...});
  if constexpr (unfed < sizeof...(Needed)) raise<you_must_feed_a_value_for_this_placeholder, shown<type_at<unfed, Needed...>>>();
  constexpr int twice = [] {
    constexpr std::size_t first[] = {place_among<Fed, Fed...>()..., 0};
    for (int i = 0; i < static_cast<int>(sizeof...(Fed)); ++i)
      if (first[i] != static_cast<std::size_t>(i)) return i;
    return -1;
  }();
  if constexpr (twice >= 0) raise<this_slot_is_fed_twice, shown<type_at<static_cast<std::size_t>(twice), Fed...>>>();
}

/// Of arguments that are not all expressions and values of their slots.
template <class... A>
struct signature<false, A...> {
  using structures = chosen_types<type_list<A...>, (!is_binding<A> && !is_host_binding<A>)...>;
  using feeds = chosen_types<type_list<A...>, is_binding<A>...>;
  using host_feeds = chosen_types<type_list<A...>, is_host_binding<A>...>;

  template <class... F>
  static fetched_members<F...> traits_of(type_list<F...>);
  using traits = decltype(traits_of(structures{}));
  using fetches = typename traits::leaves;
  static constexpr bool computes = traits::is_computed;

  template <class... B>
  static held_feeds<typename B::slot...> held_by(type_list<B...>);
  using held = decltype(held_by(host_feeds{}));
  template <class... R>
  using results = structured_results<structures, held, R...>;

  template <class... B>
  static type_list<typename B::slot...> slots_of(type_list<B...>);
  static constexpr void check() { check_host_feeds(typename traits::slots{}, decltype(slots_of(host_feeds{})){}); }

  /// Keeps what the plan does not know of the arguments.
  template <class Results>
  static void hold(Results& results, const A&... arguments) {
    const auto hold_one = [&]<class B>(const B& argument) {
      if constexpr (is_host_binding<B>) {
        constexpr std::size_t at = decltype(place_in(host_feeds{}, std::type_identity<B>{}))::value;
        member<at>(results.held.values) = B::slot::hold(argument.value);
      }
    };
    (hold_one(arguments), ...);
  }

 private:
  template <class... B, class One>
  static std::integral_constant<std::size_t, place_among<One, B...>()> place_in(type_list<B...>, std::type_identity<One>);
};

}  // namespace etch::detail
