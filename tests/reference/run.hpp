// SPDX-License-Identifier: MIT
#pragma once
#include <etch/debug/bound_values.hpp>
#include <etch/session/session.hpp>

#include "reference/evaluate_node.hpp"

/// Runs expressions on the reference backend: every node by itself, in order, with plain loops. It knows no passes, fuses nothing, and its
/// kernels share no code with the backends that they check.
namespace etch::reference {

namespace detail {

template <class Signature, class... E, class... B, class... A>
auto run_signature(const draws& numbers, etch::detail::type_list<E...>, etch::detail::type_list<B...>, const A&... arguments) {
  constexpr hash_t fetches = list_of<E::hash...>, fed = list_of<B::slot::hash...>;
  using stages = compiled_stages<fetches, fed>;
  static_assert(!static_cast<bool>(stages::failure), "reference::run: there is no such gradient");
  (check_feed<typename B::slot, typename B::value_type>(), ...);
  etch::plain_tuple<fed_value<typename B::slot::value_type>...> feeds;
  fed_array arrays[sizeof...(B) + 1];
  etch::detail::prepare_feeds<false>(feeds, arrays, arguments...);
  const std::vector<debug::input> inputs = debug::detail::inputs_of(etch::detail::type_list<B...>{}, arrays);
  debug::evaluation e(debug::view_of<etch::detail::kept_graph<typename stages::expanded>, kernels>, numbers);
  e.run(inputs);
  typename Signature::template results<etch::detail::result_type<E>...> results;
  if constexpr (!etch::detail::are_plain<A...>) {
    Signature::check();
    Signature::hold(results, arguments...);
  }
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (debug::detail::copy_result(e.fetch(static_cast<int>(I)), member<I>(results)), ...);
  }(std::index_sequence_for<E...>{});
  return etch::detail::values_of(results);
}

}  // namespace detail

/// `reference::run(fetches..., slot = value...)` gives what `session.run` gives. It owns no variables: they are fed, as
/// any node can be. An assignment has its new value and stores nothing. Throws `etch::error` where feeds do not fit, or
/// a placeholder or a variable is not fed.
template <class... A>
auto run(const draws& numbers, const A&... arguments) {
  using signature = etch::detail::signature_of<A...>;
  static_assert(signature::computes, "reference::run: name at least one expression to compute");
  return detail::run_signature<signature>(numbers, typename signature::fetches{}, typename signature::feeds{}, arguments...);
}
template <class First, class... A>
  requires(!std::is_same_v<First, draws>)
auto run(const First& first, const A&... arguments) {
  return run(draws{}, first, arguments...);
}

}  // namespace etch::reference
