// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/structure.hpp>
#include <etch/passes/all_regions.hpp>
#include <etch/passes/gradient_of_region.hpp>

/// Calls of functions in graphs: what a body gives for some arguments, computed by one step, which runs a plan that all calls of an equal
/// graph share.
namespace etch::detail {

template <class Results, class... A>
struct outline_builder {
  template <class... E>
  static constexpr auto build(type_list<E...>) {
    using call = decltype(make_expression<region_outline, void, shape<>, attributes<static_cast<int>(sizeof...(A))>, A::hash...,
                                          node_for<E>::hash...>());
    return results<call>(type_list<E...>{}, std::make_index_sequence<sizeof...(E)>{});
  }
  template <class Call, class... E, std::size_t... I>
  static constexpr auto results(type_list<E...>, std::index_sequence<I...>) {
    return structured_as<Results>(value<Call, static_cast<int>(I), E>()...);
  }
  /// What has no value, such as a training step, stays what it is, and so does a literal, which takes the dtype of what it meets.
  template <class Call, int I, class E>
  static constexpr auto value() {
    if constexpr (value_expression<E> && !is_literal<E>)
      return make_expression<region_result, typename E::value_type, typename E::shape_type, attributes<I>, Call::hash>();
    else
      return E{};
  }
};

/// Results, which a body gives for the expressions among the arguments, as those of a call.
template <class Results, class... A>
constexpr auto outlined(type_list<A...>) {
  if constexpr (!structure<Results> || sizeof...(A) == 0)
    return Results{};
  else
    return outline_builder<Results, A...>::build(written_in<Results>{});
}

}  // namespace etch::detail
