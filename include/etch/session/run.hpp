// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/arguments.hpp>
#include <etch/session/run_plan.hpp>
#include <etch/session/structured.hpp>

/// One run of a plan in a session, whose type it need not know.
namespace etch::detail {

/// `Roots`: the graph of the session; one of nothing where that is not known.
template <class Roots, class Slot>
constexpr void check_in_graph() {
  if constexpr (Roots::size.nodes > 0 && !Roots::contains(content_with<Slot::hash>))
    raise<this_slot_is_not_in_the_graph_of_the_session, shown<Slot>>();
}
template <class Roots, class Plan, class... B>
constexpr void check_signature() {
  [[maybe_unused]] const int checked[] = {0, (check_feed<typename B::slot, typename B::value_type>(), 0)...,
                                          (check_in_graph<Roots, typename B::slot>(), 0)...};
  check_fed_once<typename B::slot...>();
  check_plan<Roots, Plan, content_with<B::slot::hash>...>();
}

template <class Backend, class Roots, class Signature, class Execution, class... E, class... B, class... A>
auto run_signature(session_state<typename Backend::memory>& state, Execution execution, type_list<E...>, type_list<B...>,
                   const A&... arguments) {
  constexpr hash_t fetches = list_of<E::hash...>, fed = list_of<B::slot::hash...>;
  using Plan = compiled<typename Backend::target, fetches, fed>;
  check_signature<Roots, Plan, B...>();
  plain_tuple<fed_value<typename B::slot::value_type>...> feeds;
  fed_array arrays[sizeof...(B) + 1];
  prepare_feeds<false>(feeds, arrays, arguments...);
  typename Signature::template results<result_type<E>...> results;
  if constexpr (!are_plain<A...>) {
    Signature::check();
    Signature::hold(results, arguments...);
  }
  host_values_of<Plan, Backend> host;
  run_plan<Plan, Backend>(state, arrays, results, host, execution);
  return values_of(results);
}

}  // namespace etch::detail
