// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/structure.hpp>
#include <etch/passes/all_regions.hpp>
#include <etch/passes/gradient_of_region.hpp>

/// Calls of functions in graphs: what a body gives for some arguments, computed by one step, which runs a plan that all calls of an equal
/// graph share.
namespace etch::detail {

template <class Results, class... A, class... E>
constexpr auto outline_of(type_list<E...>) {
  using call = decltype(make_expression<region_outline, void, shape<>, attributes<static_cast<int>(sizeof...(A))>, A::hash...,
                                        node_for<E>::hash...>());
  return region_results<Results, call>(type_list<E...>{}, std::index_sequence_for<E...>{});
}

/// Results, which a body gives for the expressions among the arguments, as those of a call.
template <class Results, class... A>
constexpr auto outlined(type_list<A...>) {
  if constexpr (!structure<Results> || sizeof...(A) == 0)
    return Results{};
  else
    return outline_of<Results, A...>(written_in<Results>{});
}

}  // namespace etch::detail
