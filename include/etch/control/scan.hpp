// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/loop.hpp>
#include <etch/control/recompute.hpp>
#include <etch/ops/indexing.hpp>

/// Loops in graphs over the elements of arrays, and over numbers.
namespace etch {

namespace detail {

/// X as a sequence that is as long as the first one.
template <class First, class X>
constexpr auto as_long_as() {
  using node = typename plan_value<X>::node;
  using alike_shape = typename with_first_axis<extent_along<0>(typename First::shape_type{}),
                                               typename without_first_axis<typename X::shape_type>::type>::type;
  if constexpr (std::is_same_v<alike_shape, typename X::shape_type>)
    return X{};
  else
    return plan_value<X>::like(make_node_of<region_alike, typename node::value_type, alike_shape, attributes<1>>(
        node{}, typename plan_value<First>::node{}));
}

template <fixed_string Function, int Mode, class F, class State, class... X>
constexpr auto build_scan(type_list<X...>) {
  using first = type_at<0, X..., void>;
  if constexpr (!structure<State> || sizeof...(X) == 0 || !are_planned<X...>) {
    refuse_as<this_call_has_the_wrong_arguments, in_function<Function>, "scan(f, state, xs)", State, X...>();
    return refused(State{}, X{}...);
  } else if constexpr (((X::rank == 0) || ...)) {
    return refusal<a_sequence_has_a_first_axis_along_which_it_is_scanned, in_function<Function>, shown<X>...>(State{}, X{}...);
  } else if constexpr (!(may_begin_alike<1, typename first::shape_type, typename X::shape_type> && ...)) {
    return refusal<sequences_that_are_scanned_together_have_one_length, in_function<Function>, shown<X>...>(State{}, X{}...);
  } else {
    return loop_builder<Function, F, void, State, decltype(as_long_as<first, X>())...>::template build<Mode>();
  }
}

/// A body whose number comes first. What it gives is an empty object of that type.
template <class F>
struct counted_body {
  template <class State, class I>
  constexpr std::invoke_result_t<const F&, I, State> operator()(State, I) const {
    return {};
  }
};

}  // namespace detail

/// `scan(f, state, xs...)`: f(state, x...) for each element of the sequences along their first axis, which have one length. It gives the
/// next state, of the same dtypes and shapes, or a pair of that and outputs. The result is the last state, or a tuple of that and the
/// outputs of all steps, along a new first axis. States and outputs are an expression or a tuple of expressions each. With `reverse`
/// behind the sequences the last elements come first; outputs stand at the places of the elements that they are made from.
///
/// A literal that a state begins as takes the dtype and shape of what f makes of it. f is called once, however long the sequences
/// are, with expressions that stand for one step's values: the loop costs the compiler what one step costs. What it computes from
/// no such value is computed once, before the loop; so are random draws. An empty sequence leaves the state as it is. It has
/// gradients: what their rules read of the forward steps is kept, or, with `recompute` behind the sequences, only the states are,
/// and a step is recomputed before its gradient. See docs/control_flow.md.
template <class F, class State, class... A>
constexpr auto scan(const F&, State, A...) {
  constexpr int mode = ((std::is_same_v<A, struct reverse> ? 1 : std::is_same_v<A, struct recompute> ? 2 : 0) | ... | 0);
  using sequences =
      detail::chosen_types<detail::type_list<A...>, !std::is_same_v<A, struct reverse> && !std::is_same_v<A, struct recompute>...>;
  return detail::build_scan<"scan", mode, F, State>(sequences{});
}

/// The state after f(i, state) for i = 0, 1, ..., Count - 1, int64 scalars: `for_range<16>(f, state)`. Count may be a named extent.
template <auto Count, class F, class State>
constexpr auto for_range(const F&, State) {
  if constexpr (detail::is_negative_extent<Count>()) {
    raise<this_count_is_negative, in_function<"for_range">, literal_value<Count>>();
    return State{};
  } else {
    using numbers = decltype(arange<std::int64_t>(shape<Count>{}));
    return detail::build_scan<"for_range", 0, detail::counted_body<F>, State>(detail::type_list<numbers>{});
  }
}
ETCH_REFUSE_CALLS(for_range, name_the_number_of_steps_in_angle_brackets, "for_range<16>(f, $)")

}  // namespace etch
