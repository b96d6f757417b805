// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/loop.hpp>
#include <etch/ops/indexing.hpp>

/// Loops in graphs that end when their condition says so.
namespace etch {

namespace detail {
/// A body without the number of the step.
template <class F>
struct uncounted_body {
  template <class State, class I>
    requires std::is_invocable_v<const F&, State>
  constexpr std::invoke_result_t<const F&, State> operator()(State, I) const {
    return {};
  }
};
template <class State>
constexpr bool refuse_loop() {
  if constexpr (!structure<State>) {
    refuse_as<this_call_has_the_wrong_arguments, in_function<"while_loop">, "while_loop(condition, f, state)", State>();
    return true;
  }
  return false;
}
}  // namespace detail

/// `while_loop(condition, f, state)`: the state after state = f(state) as long as condition(state), one bool, is true: perhaps never. The
/// state is an expression or a tuple of expressions, and keeps its dtypes and shapes. Both functions are called once, with expressions
/// that stand for one step's state. It has no gradient, since it may make any number of steps: see the other one.
template <class Condition, class F, class State>
constexpr auto while_loop(const Condition&, const F&, State state) {
  if constexpr (detail::refuse_loop<State>())
    return state;
  else
    return detail::loop_builder<"while_loop", F, Condition, State>::template build<0>();
}
/// The same, which ends after Bound steps at the latest: `while_loop<100>(condition, f, state)`. It has gradients, for which the states of
/// so many steps have room.
template <int Bound, class Condition, class F, class State>
constexpr auto while_loop(const Condition&, const F&, State state) {
  if constexpr (detail::refuse_loop<State>()) {
    return state;
  } else if constexpr (Bound < 0) {
    raise<this_count_is_negative, in_function<"while_loop">, literal_value<Bound>>();
    return state;
  } else {
    return detail::loop_builder<"while_loop", detail::uncounted_body<F>, Condition, State,
                                decltype(arange<std::int64_t>(shape<Bound>{}))>::template build<0>();
  }
}

}  // namespace etch
